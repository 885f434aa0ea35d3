import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { codingOf } from './coding.ts'
import type { PageText } from './document.ts'
import { gzipPage } from './gzip-page.ts'

const brotli = promisify(brotliCompress)

/** The length of a compressed page could tell who can guess what is in it. Answers differ by up to so many bytes that mean nothing. */
const mostPadding = 64

type Coded = { body: Buffer | string; coding: 'br' | 'gzip' | null }

/**
 * A page made for one answer, compressed for who takes that: quickly, because a visitor waits for it. With gzip, of which what is the same
 * for everybody is compressed once, and which is a twentieth longer; only who takes nothing else gets Brotli.
 */
export async function compressPage(
  { html, same = { head: '', tail: '' } }: Pick<PageText, 'html'> & Partial<PageText>,
  accepted: string | undefined,
): Promise<Coded> {
  const coding = codingOf(accepted, { gzip: true }) ?? codingOf(accepted, { br: true })
  if (coding === null) return { body: html, coding }
  const own = html.slice(same.head.length, html.length - same.tail.length)
  const padding = `<!-- ${randomBytes(randomInt(mostPadding)).toString('hex')} -->\n`
  // After the page's own data: it is for nobody.
  if (coding === 'gzip') return { body: gzipPage({ ...same, own: own + padding }), coding }
  const page = same.head + own + padding + same.tail
  const body = await brotli(page, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
      [constants.BROTLI_PARAM_LGWIN]: windowFor(page.length),
    },
  })
  return { body, coding }
}

/** As a power of two: no larger than the page. To make room for one of 4 MB takes as long as to compress it. */
const windowFor = (length: number): number => Math.min(22, Math.max(16, Math.ceil(Math.log2(length))))
