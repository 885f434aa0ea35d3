import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { CorruptResponse } from './injector.ts'

export type OriginalResponse = { status: number; headers: Record<string, unknown>; body: Buffer }

/** The number of bytes after which an endless response is cut off. Reading all of them would exceed the run's memory limit. */
const endlessResponseBytes = 600 * 1024 * 1024
const endlessResponseMs = 60_000
export const hugeResponseBytes = 32 * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, ' ')

const garbledBodies = [
  '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>',
  '{"pspReference":"88',
  '\u0000\u0001\u0002\uFFFD',
  '',
]

export async function sendCorruptResponse(
  answer: ServerResponse,
  how: CorruptResponse,
  real: OriginalResponse,
): Promise<void> {
  const { 'content-length': _, ...headers } = real.headers as Record<string, string>
  answer.writeHead(real.status, headers)
  switch (how.kind) {
    case 'garbled':
      return void answer.end(garbledBodies[how.nth % garbledBodies.length])
    case 'endless':
      return writeEndlessly(answer, how.isSlow)
    case 'huge':
      // Pad with white space, which is allowed in front of any JSON text.
      await writePadding(answer, hugeResponseBytes)
      return void answer.end(real.body)
    case 'wrong':
      return void answer.end(corruptBody(real.body.toString(), how.nth))
  }
}

/**
 * Keeps writing until the receiver closes the connection or a limit on size or time is reached. With `isSlow`, it writes one byte at a
 * time; otherwise, it writes as fast as the data is read.
 */
export async function writeEndlessly(to: Writable, isSlow: boolean, piece: Buffer = chunk): Promise<void> {
  const end = performance.now() + endlessResponseMs
  const one = piece.subarray(0, 1)
  for (let sent = 0; sent < endlessResponseBytes && performance.now() < end && !to.destroyed; sent += piece.length) {
    await writePiece(to, isSlow ? one : piece)
    if (isSlow) await pause(200, undefined, { ref: false })
  }
  to.destroy()
}

export async function writePadding(to: Writable, bytes: number, piece: Buffer = chunk): Promise<void> {
  for (let sent = 0; sent < bytes && !to.destroyed; sent += piece.length) await writePiece(to, piece)
}

const writePiece = (to: Writable, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    to.once('close', resolve)
    to.write(piece, () => {
      to.off('close', resolve)
      resolve()
    })
  })

const words = new Set(['resultCode', 'response', 'state', 'status', 'errorType'])

export function corruptBody(text: string, nth: number): string {
  const wrongBodies = ['[]', 'null', '{}', '"ok"', '42', '[{}]']
  const bodyWithUnknownValue = nth % 2 === 0 ? replaceKnownValues(text) : null
  return bodyWithUnknownValue ?? wrongBodies[nth % wrongBodies.length] ?? 'null'
}

/** Replaces the values of known state fields. Returns null if the text is not JSON or does not contain any of these fields. */
function replaceKnownValues(text: string): string | null {
  let isChanged = false
  try {
    const changedJson = JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (!words.has(name) || typeof value !== 'string') return value
      isChanged = true
      return 'marinating'
    })
    return isChanged ? changedJson : null
  } catch {
    return null
  }
}
