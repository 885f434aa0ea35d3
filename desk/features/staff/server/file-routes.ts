import { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { Limit } from '#kit/server/limits.ts'
import { HttpError } from '#kit/server/http-error.ts'
import type { RawRequest } from '#kit/server/route.ts'
import { type DeskRoute, deskRoute, type RequiredAccess } from './staff.guard.ts'

type EndpointHandler<E extends Endpoint, W extends RequiredAccess> = Parameters<typeof deskRoute<E, W>>[2]
type Call<E extends Endpoint, W extends RequiredAccess> = Parameters<EndpointHandler<E, W>>[0]
type Options<W extends RequiredAccess> = { who: W; stepUp?: true; limits?: (raw: RawRequest) => Limit[] }

/** A file response. `name` contains only letters, digits, dots and hyphens. */
export type DeskFile = { name: string; type: 'text/csv' | 'text/plain' | 'application/pdf'; content: Readable }

export function deskFileRoute<const E extends Endpoint, const W extends RequiredAccess>(
  endpoint: E,
  options: Options<W>,
  handler: (call: Call<E, W>) => Promise<DeskFile>,
): DeskRoute {
  // If an endpoint returns a file, its contract does not describe the output.
  const inner = deskRoute(endpoint, options, handler as EndpointHandler<E, W>)
  return {
    ...inner,
    async answer(db, raw) {
      const { name, type, content } = (await inner.answer(db, raw)).body as DeskFile
      return {
        status: 200,
        body: content,
        headers: {
          'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
          'content-disposition': `attachment; filename="${name}"`,
        },
      }
    },
  }
}

/** A route whose request body is a file, which is read as a stream. The server registers it in a scope that parses no bodies. */
export type UploadRoute = DeskRoute & { takesFile: true }

export const isUploadRoute = (route: DeskRoute): route is UploadRoute => 'takesFile' in route

/** Creates the route for a CSV upload. Access is checked before the first byte of the file is read. */
export function deskUploadRoute<const E extends Endpoint, const W extends RequiredAccess>(
  endpoint: E & { maxBytes: number; tooLarge: string },
  options: Options<W>,
  handler: (call: Call<E, W>, file: AsyncIterable<Uint8Array>) => ReturnType<EndpointHandler<E, W>>,
): UploadRoute {
  const buildUploadRoute = (file: unknown): DeskRoute =>
    deskRoute(endpoint as E, options, (call: Call<E, W>) => {
      if (!(file instanceof Readable))
        throw new HttpError(415, { code: 'Send a CSV file, with the content type text/csv.' })
      if (contentLength(file) > endpoint.maxBytes) throw createTooLargeError(endpoint)
      return handler(call, limitBytes(file, endpoint))
    })
  return {
    ...buildUploadRoute(null),
    takesFile: true,
    answer: (db, raw) => buildUploadRoute(raw.body).answer(db, { ...raw, body: undefined }),
  }
}

const createTooLargeError = (endpoint: { tooLarge: string }): HttpError =>
  new HttpError(413, { code: endpoint.tooLarge })

/** The request's Content-Length in bytes; 0 if the body is sent in chunks. */
const contentLength = (file: Readable): number =>
  file instanceof IncomingMessage ? Number(file.headers['content-length'] ?? 0) : 0

/** Passes a file on, chunk by chunk. @throws 413 once the file exceeds `maxBytes` */
async function* limitBytes(
  file: Readable,
  endpoint: { maxBytes: number; tooLarge: string },
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // Stopping early must not destroy the stream, because the response is sent over the same connection.
  for await (const part of file.iterator({ destroyOnReturn: false })) {
    const chunk = part as Uint8Array
    bytes += chunk.byteLength
    if (bytes > endpoint.maxBytes) throw createTooLargeError(endpoint)
    yield chunk
  }
}
