import { connect } from 'node:net'

export type EarlyResponse = { text: string; status: number; isReset: boolean; sentBytes: number }

type Upload = {
  path: string
  method?: string
  headers?: Record<string, string>
  start?: string
  /**
   * The size of the body in bytes, announced with Content-Length. With `chunked`, chunks are sent without end until the response arrives.
   */
  length: number | 'chunked'
  /** Sends the entire body before reading the response, as a browser does. */
  readsLast?: boolean
}

const piece = Buffer.alloc(64 * 1024, 'x')

export function sendOversizedBody(origin: string, upload: Upload): Promise<EarlyResponse> {
  const { hostname, port } = new URL(origin)
  const { promise, resolve } = Promise.withResolvers<EarlyResponse>()
  const { method = 'POST', path, headers = {}, start = '', length, readsLast = false } = upload
  const socket = connect(Number(port), hostname)
  let text = ''
  let sentBytes = 0
  let isReset = false
  const write = (bytes: Buffer | string): boolean => {
    sentBytes += bytes.length
    if (length !== 'chunked') return socket.write(bytes)
    return socket.write(`${bytes.length.toString(16)}\r\n${bytes.toString()}\r\n`)
  }
  const left = (): number => (length === 'chunked' ? Infinity : length - sentBytes)
  const sendNextPiece = (): void => {
    while (left() > 0 && !hasResponse() && socket.writable)
      if (!write(left() < piece.length ? piece.subarray(0, left()) : piece))
        return void socket.once('drain', sendNextPiece)
    if (left() <= 0) socket.resume()
    else if (hasResponse()) socket.end()
  }
  // Waiting for the end of the headers is enough, because these responses arrive with headers and body together.
  const hasResponse = (): boolean => !readsLast && text.includes('\r\n\r\n')
  socket.setEncoding('utf8')
  socket.on('data', (part) => (text += part))
  if (readsLast) socket.pause()
  socket.on('error', () => (isReset = true))
  socket.on('close', () => resolve({ text, status: Number(text.slice(9, 12)), isReset, sentBytes }))
  const size = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${[...lines, size].join('\r\n')}\r\n\r\n`)
  if (start) write(start)
  sendNextPiece()
  return promise
}
