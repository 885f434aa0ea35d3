import type { Page } from 'playwright-core'

const foreignPatterns = [
  /New Zealand|Aotearoa|M[āa]ori|Auckland|Wellington/i,
  /\bNZ[DS]?T?\b/,
  /GST number/,
  /\+ ?64\b|\b64 ?2\d/,
  // New Zealand mobile numbers. In an Australian landline number, the first space comes after only two digits.
  /\b02\d[ -]?\d{3,4}[ -]?\d{3,4}\b/,
  /\b0(?:800|508|900)[ -]\d/,
  /89 ?64|89 or 64/,
  /\b2542\b/,
  // Australian customers are never asked to reply YES to a text message.
  /\bYES\b|‘Yes’/,
  /Kia ora|k[oō]whai|haere mai/i,
  /\b(?:Spark|Skinny|One NZ|2degrees|Warehouse Mobile|Electric Kiwi|Slingshot)\b/,
]

/**
 * Places where New Zealand is mentioned on purpose: every Australian plan includes calls to New Zealand, and one add-on is for roaming
 * there.
 */
const meant = [/Australian? and New Zealand/g, /New Zealand Roaming/g]

/**
 * Finds words that belong to New Zealand in text from the Australian version. Returns each with a few words around it. Email addresses are
 * ignored, and so are voucher codes, which are random and may contain digits such as 8964.
 */
export function findForeignWords(text: string): string[] {
  const left = meant.reduce(
    (rest, words) => rest.replaceAll(words, ' '),
    text.replaceAll('\u00A0', ' ').replaceAll(/\S+@\S+|\b[0-9A-F]{12}\b/g, ' '),
  )
  return foreignPatterns.flatMap((words) => {
    const found = words.exec(left)
    return found ? [left.slice(Math.max(0, found.index - 30), found.index + found[0].length + 20).trim()] : []
  })
}

export const readAllText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest('script, style, noscript:empty')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
    )
    const words: string[] = []
    while (texts.nextNode()) words.push(texts.currentNode.textContent ?? '')
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['aria-label', 'aria-valuetext', 'placeholder', 'title', 'alt', 'content', 'lang'])
        words.push(element.getAttribute(name) ?? '')
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) words.push(element.value)
    }
    return words.join('\n')
  })
