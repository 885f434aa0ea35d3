import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { codingOf } from './coding.ts'
import { htmlOf, type PageText } from './document.ts'

const [zip, brotli] = [promisify(gzip), promisify(brotliCompress)]

/** The length of a compressed page could tell who can guess what is in it. Answers differ by up to so many bytes that mean nothing. */
const mostPadding = 64

type Coded = { body: Buffer; coding: 'br' | 'gzip' | null }

/**
 * A page made for one answer, compressed for whoever takes that: quickly, because a visitor waits for it. Gzip takes a quarter of the time
 * of Brotli and is a twentieth longer, so a browser that takes both gets gzip.
 */
export async function compressPage(page: PageText, accepted: string | undefined): Promise<Coded> {
  const coding = codingOf(accepted, { gzip: true }) ?? codingOf(accepted, { br: true })
  if (coding === null) return { body: Buffer.from(htmlOf(page)), coding }
  // After the page's own data: it is for nobody.
  const own = `${page.own}<!-- ${randomBytes(randomInt(mostPadding)).toString('hex')} -->\n`
  const bytes = Buffer.from(htmlOf({ ...page, own }))
  const body = coding === 'gzip' ? await zip(bytes) : await brotli(bytes, brotliFor(bytes.length))
  return { body, coding }
}

/** The window, as a power of two, is no larger than the page: to make room for one of 4 MB takes as long as to compress the page. */
const brotliFor = (length: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length)))),
  },
})
