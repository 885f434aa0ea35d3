import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The length of a compressed page could tell who can guess what is in it. Answers differ by up to so many bytes that mean nothing. */
const mostPadding = 64

type Coded = { body: Buffer | string; coding: 'br' | 'gzip' | null }

/** A page made for one answer, compressed for who takes that: quickly, because a visitor waits for it. */
export async function compressPage(html: string, accepted: string | undefined): Promise<Coded> {
  const coding = codingOf(accepted)
  if (coding === null) return { body: html, coding }
  const page = `${html}<!-- ${randomBytes(randomInt(mostPadding)).toString('hex')} -->\n`
  const body =
    coding === 'br'
      ? await brotli(page, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 5,
            [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
            [constants.BROTLI_PARAM_LGWIN]: windowFor(page.length),
          },
        })
      : await zip(page, { level: 6 })
  return { body, coding }
}

/** As a power of two: no larger than the page. To make room for one of 4 MB takes as long as to compress it. */
const windowFor = (length: number): number => Math.min(22, Math.max(16, Math.ceil(Math.log2(length))))

/** Browsers name five. */
const mostCodings = 20

/** The best coding that an Accept-Encoding header allows, of those that there are; null for none. */
export function codingOf(
  accepted = '',
  available: { br?: unknown; gzip?: unknown } = { br: true, gzip: true },
): 'br' | 'gzip' | null {
  const named = accepted.split(',', mostCodings).map((part) => part.split(';').map((word) => word.trim().toLowerCase()))
  const takes = (coding: string): boolean =>
    named.some(
      ([name, ...rest]) => name === coding && Number(rest.find((word) => word.startsWith('q='))?.slice(2) ?? 1) > 0,
    )
  if (available.br && takes('br')) return 'br'
  return available.gzip && takes('gzip') ? 'gzip' : null
}
