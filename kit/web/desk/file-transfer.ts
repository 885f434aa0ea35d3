import { buildPath, type Endpoint } from '#kit/contract/endpoint.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { getCsrfToken, fetchWithToken, setCsrfToken } from '#kit/web/csrf.ts'

/** Maximum duration of a file transfer, in milliseconds. A file may be sent over a slow connection, and the server waits just as long. */
const maxTransferMs = 300_000

type FileUpload = { query?: Record<string, string>; file: File; onProgress: (share: number) => void }

/**
 * Sends a file as a request's body. `onProgress` receives the fraction that has been sent, from 0 to 1.
 * @throws ApiError in the same cases as `Api.call`
 */
export async function sendFile<T>(endpoint: Endpoint, sent: FileUpload): Promise<T> {
  const token = getCsrfToken()
  let request = await sendOnce(endpoint, sent)
  if (request.status === 403 && token !== getCsrfToken()) request = await sendOnce(endpoint, sent)
  const { status, responseText } = request
  const body = tryParseJson(responseText)
  if (status >= 400 || body === undefined) throw new ApiError(status >= 400 ? status : 0, body)
  return body as T
}

function sendOnce(endpoint: Endpoint, { query = {}, file, onProgress }: FileUpload): Promise<XMLHttpRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<XMLHttpRequest>()
  const request = new XMLHttpRequest()
  request.open(endpoint.method, `${endpoint.path}?${new URLSearchParams(query)}`)
  request.timeout = maxTransferMs
  request.setRequestHeader('x-csrftoken', getCsrfToken())
  request.setRequestHeader('content-type', 'text/csv')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  const rejectRequest = () => reject(new ApiError(0, undefined))
  for (const event of ['error', 'abort', 'timeout']) request.addEventListener(event, rejectRequest)
  request.addEventListener('load', () => {
    setCsrfToken(request.getResponseHeader('x-csrftoken'))
    resolve(request)
  })
  request.send(file)
  return promise
}

/**
 * Fetches the file that an endpoint returns.
 * @throws ApiError in the same cases as `Api.call`
 */
export async function fetchFile(
  endpoint: Endpoint,
  params: Record<string, string>,
  query: Record<string, string> = {},
): Promise<Blob> {
  const searchParams = new URLSearchParams(query)
  const response = await fetchWithToken(
    `${buildPath(endpoint, params)}${searchParams.size > 0 ? `?${searchParams}` : ''}`,
    {
      method: endpoint.method,
      headers: {},
      signal: AbortSignal.timeout(maxTransferMs),
    },
  ).catch(() => null)
  if (!response) throw new ApiError(0, undefined)
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => undefined))
  // An interrupted download counts as an error, not as a shorter file.
  const file = await response.blob().catch(() => null)
  if (!file) throw new ApiError(0, undefined)
  return file
}

/** Saves a file as it is. Text would lose the byte order mark, which Excel needs. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Ten seconds later, the browser has started reading the object URL, so revoking it is safe.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
