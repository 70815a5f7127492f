SELECT count(*), sum(amount) FROM sales;
UPDATE sales SET amount = amount * 2 WHERE id % 3 = 0;
SELECT sum(amount) FROM sales;
SELECT nothing FROM nowhere;
