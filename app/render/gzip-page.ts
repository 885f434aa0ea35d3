import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { PageText } from './document.ts'

/** The best that there is: it is done once. */
const once = { level: 9, memLevel: 9 }
/** A page's own is hardly longer than this window. With a larger one, and a table for more, to clear the room takes as long as the rest. */
const eachTime = { level: 6, windowBits: 14, memLevel: 6, chunkSize: 8_192 }

/** Ends at a full byte, and more may follow. */
const goesOn = { finishFlush: constants.Z_SYNC_FLUSH }

type Deflated = { bytes: Buffer; deflated: Buffer }

/** Of each kind of page there are two, of some forty kinds. */
const mostKept = 200

/** What is made of texts that are the same in many pages, made once. */
function keptOf<Made>(make: (text: string) => Made): (text: string) => Made {
  const kept = new Map<string, Made>()
  return (text) => {
    const known = kept.get(text)
    if (known) return known
    if (kept.size >= mostKept) kept.clear()
    const made = make(text)
    kept.set(text, made)
    return made
  }
}

const bytesOf = keptOf((text) => Buffer.from(text))
const deflatedBy = (how: typeof once & Partial<typeof goesOn>) =>
  keptOf((text): Deflated => ({ bytes: bytesOf(text), deflated: deflateRawSync(bytesOf(text), how) }))
const headOf = deflatedBy({ ...once, ...goesOn })
const tailOf = deflatedBy(once)

/** A page as it is; only what is its `own` is made into bytes now. */
export const plainPage = ({ own, same: { head, tail } }: PageText): Buffer =>
  Buffer.concat([bytesOf(head), Buffer.from(own), bytesOf(tail)])

/** Deflate, no name, no time, from any system. */
const gzipHead = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/**
 * A page as gzip has it, in one piece for whoever reads it. Only what is this page's `own` is compressed now; head and tail are the same
 * for everybody and were compressed before.
 */
export function gzipPage({ own, same: { head, tail } }: PageText): Buffer {
  const [before, after] = [headOf(head), tailOf(tail)]
  const bytes = Buffer.from(own)
  const deflated = deflateRawSync(bytes, { ...eachTime, ...goesOn })
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(after.bytes, crc32(bytes, crc32(before.bytes))))
  end.writeUInt32LE(before.bytes.length + bytes.length + after.bytes.length, 4)
  return Buffer.concat([gzipHead, before.deflated, deflated, after.deflated, end])
}
