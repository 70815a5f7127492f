// Jobs that are too long for a message: their longest columns go first, by themselves.

import { createHash, randomUUID } from "node:crypto";

import { methodOf } from "./connection.js";
import { bytesField, takeOut } from "./wire.js";

const CHUNK = 1 << 20;
const LARGEST_REQUEST = 8 << 20; // below the daemon's smallest sensible limit
const SMALL = 1024; // a column of so few bytes stays
const ATTEMPTS = 3; // inputs that no job uses yet may have to make room for others'
const BYTES_A_MILLISECOND = 1 << 10; // a line that is slower is too slow for uploads
const JOB = 1; // of CreateJobRequest
const COLUMNS = 4; // of Job

// The fewest columns without which the others have at most so many bytes: the longest ones.
export function columnsToUpload(sizes, most) {
  let left = sizes.reduce((sum, size) => sum + size, 0);
  const chosen = [];
  for (const [index, size] of [...sizes.entries()].sort((one, other) => other[1] - one[1])) {
    if (left <= most || size <= SMALL) break;
    left -= size;
    chosen.push(index);
  }
  return chosen.sort((one, other) => one - other);
}

// The name of the input, which is sent unless the daemon has it.
async function uploadInput(connection, data) {
  const sha256 = createHash("sha256").update(data).digest("hex");
  const name = `inputs/sha256:${sha256}`;
  try {
    await connection.call("Inputs.GetInput", { name });
    return name;
  } catch (error) {
    if (error.reason !== "NOT_FOUND") throw error;
  }
  const timeout = connection.patience.timeout + data.length / BYTES_A_MILLISECOND;
  await connection.call("Inputs.UploadInput", function* () {
    yield { data: data.subarray(0, CHUNK), sha256, size_bytes: data.length };
    for (let at = CHUNK; at < data.length; at += CHUNK) yield { data: data.subarray(at, at + CHUNK) };
  }, timeout);
  return name;
}

// The bytes of Column messages, in parts.
function partsOf(column) {
  if (column.parts) return column.parts;
  const request = methodOf("Jobs.CreateJob").requestSerialize({ job: { columns: [column.object] } });
  const [, inRequest] = takeOut(request, [JOB]);
  const [, inJob] = takeOut(inRequest.get(JOB)[0], [COLUMNS]);
  return inJob.get(COLUMNS);
}

const sizeOf = (parts) => parts.reduce((sum, part) => sum + part.length, 0);

// A CreateJobRequest with these columns besides: where a field comes twice, protobuf joins both.
export function requestBytes(request, columns) {
  const fields = columns.flatMap((parts) => bytesField(COLUMNS, parts));
  return Buffer.concat([methodOf("Jobs.CreateJob").requestSerialize(request), ...bytesField(JOB, fields)]);
}

// The job as it was accepted: once, however often the call is made. `columns` come after the job's own.
export async function createJob(connection, job, columns = [], most = LARGEST_REQUEST) {
  const { columns: own = [], ...others } = job;
  const sent = [...own.map((object) => ({ object })), ...columns].map(partsOf);
  const large = columnsToUpload(sent.map(sizeOf), most).map((index) => [index, Buffer.concat(sent[index])]);
  const request = { job: others, request_id: randomUUID() };
  for (let attempt = 1; ; ++attempt) {
    for (const [index, data] of large) {
      sent[index] = partsOf({ object: { uploaded: { input: await uploadInput(connection, data) } } });
    }
    try {
      return await connection.call("Jobs.CreateJob", requestBytes(request, sent));
    } catch (error) {
      const isGone = error.reason === "NOT_FOUND" && Object.values(error.details).includes("input");
      if (large.length === 0 || !isGone || attempt === ATTEMPTS) throw error;
    }
  }
}
