CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, product TEXT, amount REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
  INSERT INTO sales SELECT i, 'r' || (i * 7 % 5), 'p' || (i * 31 % 17), (i * 7919 % 1000) / 8.0 FROM n;
CREATE INDEX by_product ON sales (product, amount);
SELECT region, count(*), sum(amount), round(avg(amount), 3) FROM sales GROUP BY region ORDER BY 1;
SELECT product, max(amount) FROM sales GROUP BY product HAVING count(*) > 23 ORDER BY 2 DESC, 1;
SELECT id, sum(amount) OVER (ORDER BY id ROWS 2 PRECEDING) FROM sales WHERE id % 80 = 0;
BEGIN;
DELETE FROM sales WHERE region = 'r1';
SELECT count(*) FROM sales;
ROLLBACK;
SELECT count(*) FROM sales WHERE product LIKE 'p1%' AND amount BETWEEN 10 AND 90;
SELECT json_group_array(json_object('id', id, 'amount', amount)) FROM sales WHERE id < 4;
CREATE VIRTUAL TABLE notes USING fts5(body);
INSERT INTO notes VALUES ('lanes of a burst'), ('the burst ends'), ('a frame of fuel');
SELECT rowid, highlight(notes, 0, '[', ']') FROM notes WHERE notes MATCH 'burst' ORDER BY rowid;
SELECT printf('%08.3f %s', 3.14159, hex(zeroblob(3))), date(0, 'unixepoch'), typeof(1 / 2.0);
