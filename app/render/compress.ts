import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { codingOf } from './coding.ts'
import type { PageText } from './document.ts'
import { gzipPage, plainPage } from './gzip-page.ts'

const brotli = promisify(brotliCompress)

/** The length of a compressed page could tell who can guess what is in it. Answers differ by up to so many bytes that mean nothing. */
const mostPadding = 64

type Coded = { body: Buffer; coding: 'br' | 'gzip' | null }

/**
 * A page made for one answer, compressed for who takes that: quickly, because a visitor waits for it. With gzip, of which what is the same
 * for everybody is compressed once, and which is a twentieth longer; only who takes nothing else gets Brotli.
 */
export async function compressPage(page: PageText, accepted: string | undefined): Promise<Coded> {
  const coding = codingOf(accepted, { gzip: true }) ?? codingOf(accepted, { br: true })
  if (coding === null) return { body: plainPage(page), coding }
  // After the page's own data: it is for nobody.
  const own = `${page.own}<!-- ${randomBytes(randomInt(mostPadding)).toString('hex')} -->\n`
  const padded = { own, same: page.same }
  if (coding === 'gzip') return { body: gzipPage(padded), coding }
  const bytes = plainPage(padded)
  const body = await brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowFor(bytes.length),
    },
  })
  return { body, coding }
}

/** As a power of two: no larger than the page. To make room for one of 4 MB takes as long as to compress it. */
const windowFor = (length: number): number => Math.min(22, Math.max(16, Math.ceil(Math.log2(length))))
