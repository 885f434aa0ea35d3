// This module replaces the helper that Vite adds around `import()`. Vite's helper also supports old browsers and is three times as long.

const base = import.meta.env.BASE_URL
const linkedFiles = new Map<string, Promise<void>>()

/** Loads a chunk's style sheets and scripts, and then its module. @throws Error if a file cannot be loaded */
export async function __vitePreload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map(addLinkOnce))
  return load()
}

function addLinkOnce(file: string): Promise<void> {
  const link = linkedFiles.get(file) ?? linkFile(file)
  linkedFiles.set(file, link)
  return link
}

async function linkFile(file: string): Promise<void> {
  const href = base + file
  // The document already links to the files that it was sent with, including style sheets that are part of its inline style.
  if (document.querySelector(`link[href="${href}"]`)) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const isStyle = file.endsWith('.css')
  const link = Object.assign(document.createElement('link'), {
    rel: isStyle ? 'stylesheet' : 'modulepreload',
    href,
    onload: () => resolve(),
    onerror() {
      link.remove()
      linkedFiles.delete(file)
      reject(new Error(`${href} failed to load`))
    },
  })
  // Only style sheets have to be waited for: a script that fails to load is reported anyway when it is imported.
  if (!isStyle) resolve()
  document.head.append(link)
  return promise
}
