import type { Page } from 'playwright-core'

/**
 * Translates this page and every later document in the same way as a browser's page translator: once React has hydrated a document, each
 * text node that is there or appears later is replaced with elements.
 */
export const translate = async (page: Page): Promise<void> => void (await page.addInitScript(startTranslator))

export const waitUntilTranslated = (page: Page): Promise<void> => page.locator('html.translated-ltr').waitFor()

/** This function runs in the page. */
function startTranslator(): void {
  const untranslatedTags = ['SCRIPT', 'STYLE', 'TEXTAREA', 'NOSCRIPT', 'TITLE', 'OPTION', 'FONT']

  function replaceText(text: Text): void {
    const parent = text.parentElement
    if (!parent || untranslatedTags.includes(parent.tagName) || text.data.trim() === '') return
    if (parent.closest('[translate=no]')) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }

  function replaceTextNodes(root: Node): void {
    const texts: Text[] = root instanceof Text ? [root] : []
    const treeWalker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (treeWalker.nextNode()) texts.push(treeWalker.currentNode as Text)
    texts.forEach(replaceText)
  }

  type Fiber = {
    memoizedState: { isDehydrated?: boolean; dehydrated?: unknown } | null
    child: Fiber | null
    sibling: Fiber | null
  }

  const isHydrationPending = ({ memoizedState, child, sibling }: Fiber): boolean =>
    Boolean(memoizedState?.dehydrated) ||
    (child !== null && isHydrationPending(child)) ||
    (sibling !== null && isHydrationPending(sibling))

  /** Returns whether React has hydrated every part of the document. React keeps its tree at the root element. */
  function isHydrated(): boolean {
    const root = document.getElementById('root')
    const key = root && Object.keys(root).find((name) => name.startsWith('__reactContainer'))
    if (!key) return false
    const { current } = (root as unknown as Record<string, { stateNode: { current: Fiber } }>)[key]!.stateNode
    return current.child !== null && !current.memoizedState?.isDehydrated && !isHydrationPending(current.child)
  }

  function begin(): void {
    if (!isHydrated()) return void requestAnimationFrame(begin)
    replaceTextNodes(document.body)
    const observer = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === 'characterData' ? [target] : addedNodes) replaceTextNodes(node)
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    document.documentElement.classList.add('translated-ltr')
  }
  document.addEventListener('DOMContentLoaded', begin)
}
