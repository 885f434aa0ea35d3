export type Asked = {
  statement: string
  values: (string | Buffer | null)[]
  /** The prepared statement's name; empty if the statement is parsed every time. */
  name: string
}

export type Said = { asked: Asked } | 'waits'

/** Returns a function that parses a PostgreSQL client's messages (protocol 3.0, unencrypted). They may arrive in chunks of any size. */
export function createClientMessageReader(tell: (said: Said) => void): (bytes: Buffer) => void {
  const statements = new Map<string, string>()
  let rest: Buffer = Buffer.of()
  let hasBegun = false

  function take(type: string, body: Buffer): void {
    if (type === 'P') {
      const [name, end] = readCString(body, 0)
      statements.set(name, readCString(body, end)[0])
    } else if (type === 'B') tell({ asked: parseBindMessage(body, statements) })
    else if (type === 'Q') {
      tell({ asked: { statement: readCString(body, 0)[0], values: [], name: '' } })
      tell('waits')
    } else if (type === 'S') tell('waits')
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    // The first message from a client has no type byte.
    for (;;) {
      const lengthOffset = hasBegun ? 1 : 0
      if (rest.length < lengthOffset + 4) return
      const length = lengthOffset + rest.readInt32BE(lengthOffset)
      if (rest.length < length) return
      if (hasBegun) take(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, length))
      hasBegun = true
      rest = rest.subarray(length)
    }
  }
}

/** Reads a zero-terminated string. Returns the string and the position after it. */
function readCString(body: Buffer, from: number): [text: string, end: number] {
  const end = body.indexOf(0, from)
  return [body.toString('utf8', from, end), end + 1]
}

function parseBindMessage(body: Buffer, statements: ReadonlyMap<string, string>): Asked {
  const [, afterPortal] = readCString(body, 0)
  const [name, afterName] = readCString(body, afterPortal)
  const formats = Array.from({ length: body.readInt16BE(afterName) }, (_, at) =>
    body.readInt16BE(afterName + 2 + 2 * at),
  )
  let at = afterName + 2 + 2 * formats.length
  const values: Asked['values'] = []
  const count = body.readInt16BE(at)
  at += 2
  for (let nth = 0; nth < count; nth++) {
    const length = body.readInt32BE(at)
    at += 4
    // If there is only one format code, it applies to all parameter values.
    const isBinary = (formats.length === 1 ? formats[0] : formats[nth]) === 1
    const bytes = length < 0 ? null : Buffer.from(body.subarray(at, at + length))
    values.push(bytes && !isBinary ? bytes.toString('utf8') : bytes)
    at += Math.max(0, length)
  }
  return { statement: statements.get(name) ?? '', values, name }
}

export function createServerReader(isReady: () => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.of()
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      if (rest[0] === 'Z'.charCodeAt(0)) isReady()
      rest = rest.subarray(length)
    }
  }
}
