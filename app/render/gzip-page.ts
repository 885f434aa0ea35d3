import { constants, crc32, deflateRawSync } from 'node:zlib'

/** So far back a text may be referred to. */
const farthestBack = 32_768

/** The best that there is: it is done once. */
const once = { level: 9, memLevel: 9 }
const eachTime = { level: 6 }

/** Ends at a full byte, and more may follow. */
const goesOn = { finishFlush: constants.Z_SYNC_FLUSH }

type Deflated = { bytes: Buffer; deflated: Buffer }

/** Of each kind of page there are two, of some forty kinds. */
const mostKept = 200

/** Texts that are the same in many pages, deflated once. */
function keptDeflated(how: typeof once & Partial<typeof goesOn>): (text: string) => Deflated {
  const kept = new Map<string, Deflated>()
  return (text) => {
    const known = kept.get(text)
    if (known) return known
    if (kept.size >= mostKept) kept.clear()
    const bytes = Buffer.from(text)
    const made = { bytes, deflated: deflateRawSync(bytes, how) }
    kept.set(text, made)
    return made
  }
}

const headOf = keptDeflated({ ...once, ...goesOn })
const tailOf = keptDeflated(once)

/** Deflate, no name, no time, from any system. */
const gzipHead = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/**
 * A page as gzip has it, in one piece for whoever reads it. Only what is this page's `own` is compressed now; it may refer to the head,
 * which like the tail is the same for everybody and was compressed before.
 */
export function gzipPage({ head, own, tail }: { head: string; own: string; tail: string }): Buffer {
  const [before, after] = [headOf(head), tailOf(tail)]
  const bytes = Buffer.from(own)
  const dictionary = before.bytes.subarray(-farthestBack)
  const deflated = deflateRawSync(bytes, { ...eachTime, ...goesOn, ...(dictionary.length > 0 && { dictionary }) })
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(after.bytes, crc32(bytes, crc32(before.bytes))))
  end.writeUInt32LE(before.bytes.length + bytes.length + after.bytes.length, 4)
  return Buffer.concat([gzipHead, before.deflated, deflated, after.deflated, end])
}
