import { setImmediate as nextTurn } from 'node:timers/promises'

const entriesPerChunk = 100

export const isLongBody = (body: unknown): body is object =>
  Array.isArray(body)
    ? body.length > entriesPerChunk
    : isPlainObject(body) && Object.keys(body).length > entriesPerChunk

const isPlainObject = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype

export async function stringifyInChunks(body: object): Promise<string> {
  const isArray = Array.isArray(body)
  const entries = Object.entries(body).filter(([, value]) => isArray || value !== undefined)
  const chunks: string[] = []
  for (let start = 0; start < entries.length; start += entriesPerChunk) {
    if (start > 0) await nextTurn()
    const chunk = entries.slice(start, start + entriesPerChunk)
    const text = JSON.stringify(isArray ? chunk.map(([, value]) => value as unknown) : Object.fromEntries(chunk))
    chunks.push(text.slice(1, -1))
  }
  return isArray ? `[${chunks.join(',')}]` : `{${chunks.join(',')}}`
}
