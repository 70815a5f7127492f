// Calls of the daemon's services, as JSON over its bridge (daemon/page/bridge.h).

export class CallError extends Error {
  constructor(
    readonly code: number, // of gRPC
    readonly reason: string, // of compiler/base/errors.def
    message: string,
  ) {
    super(message);
  }
  get isIdentity() {
    return this.code === 16;
  }
}

const UNAVAILABLE = 14;
const TOKEN = "wasmburst.token";

// It goes with the tab.
export const token = {
  get: () => sessionStorage.getItem(TOKEN) ?? "",
  set: (text: string) => (text ? sessionStorage.setItem(TOKEN, text) : sessionStorage.removeItem(TOKEN)),
};

interface WireError {
  code: number;
  message: string;
  details?: { reason?: string }[];
}
function errorOf(error: WireError) {
  const reason = error.details?.find((detail) => detail.reason)?.reason ?? "";
  return new CallError(error.code, reason, error.message);
}

async function post(method: string, request: object, query: string, signal?: AbortSignal) {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (token.get()) headers.authorization = `Bearer ${token.get()}`;
  let response: Response;
  try {
    response = await fetch(`/api/wasmburst.v1.${method}${query}`, {
      method: "POST", headers, body: JSON.stringify(request), signal, cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(UNAVAILABLE, "UNAVAILABLE", "The daemon does not answer.");
  }
  if (!response.ok) throw new CallError(UNAVAILABLE, "BRIDGE", (await response.text()).trim());
  return response;
}

// "Jobs/GetJob".
export async function call<T = any>(method: string, request: object = {}, signal?: AbortSignal): Promise<T> {
  const answer = await (await post(method, request, "", signal)).json();
  if (answer.error) throw errorOf(answer.error);
  return answer.message;
}

// Each message of a server's stream. `restMs`: the daemon says no more than one in that time.
export async function* stream<T = any>(
  method: string, request: object, signal: AbortSignal, restMs = 0,
): AsyncGenerator<T> {
  const response = await post(method, request, restMs ? `?rest_ms=${restMs}` : "", signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part: ReadableStreamReadResult<string>;
    try {
      part = await reader.read();
    } catch (error) {
      if (signal.aborted) throw error;
      throw new CallError(UNAVAILABLE, "UNAVAILABLE", "The daemon ended the stream.");
    }
    if (part.done) throw new CallError(UNAVAILABLE, "UNAVAILABLE", "The stream broke off.");
    text += part.value;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      if (line.error) throw errorOf(line.error);
      if (line.end) return;
      yield line.message;
    }
  }
}
