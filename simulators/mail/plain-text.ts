import { findHeader } from './headers.ts'

/** Returns what a person reads in an email: its recipients, its subject and its plain text, without HTML and attachments. */
export function plainTextOf(source: string): string {
  const part = findPlainPart(source)
  const body = part.slice(part.indexOf('\r\n\r\n') + 4)
  return [
    `To: ${decodeWords(findHeader(source, 'To') ?? '')}`,
    `Subject: ${decodeWords(findHeader(source, 'Subject') ?? '')}`,
    '',
    decodeBody(body, findHeader(part, 'Content-Transfer-Encoding')).replaceAll('\r\n', '\n').trim(),
    '',
  ].join('\n')
}

/** Returns the email's first part of type text/plain with its headers, or the whole part if none has this type. */
function findPlainPart(part: string): string {
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(findHeader(part, 'Content-Type') ?? '')?.[1]
  if (boundary === undefined) return part
  const parts = part
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((each) => findPlainPart(each.replace(/^\r\n/, '').replace(/\r\n$/, '')))
  return parts.find((each) => /^text\/plain/i.test(findHeader(each, 'Content-Type') ?? '')) ?? parts[0] ?? part
}

function decodeBody(body: string, encoding: string | null): string {
  if (encoding?.toLowerCase() === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding?.toLowerCase() !== 'quoted-printable') return Buffer.from(body, 'latin1').toString()
  return decodeHex(body.replaceAll(/=\r\n/g, ''))
}

/** Decodes the encoded words of a header (RFC 2047). Whitespace between two of them is not part of the text. */
const decodeWords = (header: string): string =>
  header
    .replaceAll(/(\?=)\s+(?==\?)/g, '$1')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : decodeHex(text.replaceAll('_', ' ')),
    )

const decodeHex = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
