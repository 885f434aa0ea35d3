import type { ComponentType } from 'react'
import type { Found, PageEntry, PageNeeds, PageProps } from '../page.ts'

type Page = Pick<Found['page'], 'load' | 'needs'>

type Loader<T> = () => Promise<T>

const loaded = new WeakMap<Loader<unknown>, unknown>()

async function load<T>(loader: Loader<T>): Promise<void> {
  if (!loaded.has(loader)) loaded.set(loader, await loader())
}

const nothing: PageNeeds = {}

export async function loadPage(page: Page): Promise<void> {
  await Promise.all([load(page.load), loadNeeds(page)])
}

export async function loadNeeds({ needs }: Page): Promise<void> {
  if (needs) await load(needs)
}

export function loadedPage({ load }: Page): ComponentType<PageProps> | undefined {
  return (loaded.get(load) as Awaited<ReturnType<PageEntry['load']>> | undefined)?.default
}

export function loadedNeeds({ needs }: Page): PageNeeds | undefined {
  return needs ? (loaded.get(needs) as PageNeeds | undefined) : nothing
}

const key = 'reloaded-at'

/**
 * Reloads the whole page after a chunk could not be fetched: a deployment removes the old chunks, and the server names the new ones. False
 * when a reload just now did not help. Also false without a connection, because the browser would show its own error page.
 */
export function reloadOnce(): boolean {
  if (!navigator.onLine) return false
  const last = Number(sessionStorage.getItem(key))
  if (Date.now() - last < 10_000) return false
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
  return true
}
