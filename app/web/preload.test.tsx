import { beforeEach, expect, test, vi } from 'vitest'
import type * as Preload from './preload.ts'

const load = async () => 'the page'

let preload: typeof Preload.__vitePreload
/** Link elements added by the code under test. They are intercepted, because the test browser would otherwise load their files. */
let links: HTMLLinkElement[]

beforeEach(async () => {
  document.head.innerHTML = '<link href="/static/build/base.css">'
  links = []
  vi.spyOn(document.head, 'append').mockImplementation((link) => void links.push(link as HTMLLinkElement))
  vi.stubEnv('BASE_URL', '/static/build/')
  // Modules are reset, because each test simulates a new document.
  vi.resetModules()
  preload = (await import('./preload.ts')).__vitePreload
})

const told = () => links.map(({ rel, href }) => `${rel} ${new URL(href, location.href).pathname}`)
const arrives = (type: 'load' | 'error') => links.at(-1)?.dispatchEvent(new Event(type))

test('a module is loaded after its style sheets, without waiting for its preloaded scripts', async () => {
  const loading = preload(load, ['a.js', 'a.css'])
  expect(told()).toEqual(['modulepreload /static/build/a.js', 'stylesheet /static/build/a.css'])
  expect(await Promise.race([loading, 'nothing yet'])).toBe('nothing yet')
  arrives('load')
  expect(await loading).toBe('the page')
})

test('files are not loaded again if the document links to them or they have already been requested', async () => {
  const both = [preload(load, ['base.css', 'a.css']), preload(load, ['a.css'])]
  arrives('load')
  expect(await Promise.all(both)).toEqual(['the page', 'the page'])
  expect(await preload(load, ['a.css'])).toBe('the page')
  expect(told()).toEqual(['stylesheet /static/build/a.css'])
})

test('if a style sheet fails to load, the module’s promise rejects, and the next attempt requests the sheet again', async () => {
  const failing = preload(load, ['a.css'])
  const remove = vi.spyOn(links[0] as HTMLLinkElement, 'remove')
  arrives('error')
  await expect(failing).rejects.toThrow('/static/build/a.css')
  expect(remove).toHaveBeenCalledOnce()
  const again = preload(load, ['a.css'])
  expect(links).toHaveLength(2)
  arrives('load')
  expect(await again).toBe('the page')
})
