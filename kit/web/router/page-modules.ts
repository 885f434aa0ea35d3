import type { ComponentType } from 'react'
import type { MatchedPage, PageEntry, PageLoader, PageProps } from '../page.ts'

type Page = Pick<MatchedPage['page'], 'component' | 'loader'>

type ModuleImport<T> = () => Promise<T>

const loadedModules = new WeakMap<ModuleImport<unknown>, unknown>()

async function load<T>(module: ModuleImport<T>): Promise<void> {
  if (!loadedModules.has(module)) loadedModules.set(module, await module())
}

const emptyLoader: PageLoader = {}

export async function loadPage(page: Page): Promise<void> {
  await Promise.all([load(page.component), loadPageLoader(page)])
}

export async function loadPageLoader({ loader }: Page): Promise<void> {
  if (loader) await load(loader)
}

export function getLoadedPage({ component }: Page): ComponentType<PageProps> | undefined {
  return (loadedModules.get(component) as Awaited<ReturnType<PageEntry['component']>> | undefined)?.default
}

export function getLoadedPageLoader({ loader }: Page): PageLoader | undefined {
  return loader ? (loadedModules.get(loader) as PageLoader | undefined) : emptyLoader
}

const reloadedAtStorageKey = 'reloaded-at'

/**
 * Reloads the whole page after a chunk could not be fetched. A deployment removes the old chunks, and the server knows the new ones' names.
 * Returns false if the page has only just been reloaded for this reason. Also returns false when offline, because the browser would show
 * its own error page.
 */
export function reloadOnce(): boolean {
  if (!navigator.onLine) return false
  const last = Number(sessionStorage.getItem(reloadedAtStorageKey))
  if (Date.now() - last < 10_000) return false
  sessionStorage.setItem(reloadedAtStorageKey, String(Date.now()))
  location.reload()
  return true
}
