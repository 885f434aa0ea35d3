// In place of the code that Vite puts round an `import()`, which serves every browser and host and is three times as long.

/** Where this bundle's files are served. */
const base = import.meta.env.BASE_URL
/** What has been linked since the document came, by file. */
const linked = new Map<string, Promise<void>>()

/**
 * Links the files that a module needs beside itself, waits for the styles among them, and loads it.
 * @throws Error when any of that cannot be had
 */
export async function __vitePreload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map(linkOnce))
  return load()
}

function linkOnce(file: string): Promise<void> {
  const link = linked.get(file) ?? linkTo(file)
  linked.set(file, link)
  return link
}

async function linkTo(file: string): Promise<void> {
  const href = base + file
  // The document names what it came with, a sheet that is part of its own as well.
  if (document.querySelector(`link[href="${href}"]`)) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const isStyle = file.endsWith('.css')
  const link = Object.assign(document.createElement('link'), {
    rel: isStyle ? 'stylesheet' : 'modulepreload',
    href,
    onload: () => resolve(),
    onerror() {
      // It may be tried again.
      link.remove()
      linked.delete(file)
      reject(new Error(`${href} cannot be had`))
    },
  })
  // A script that cannot be had fails as it is imported.
  if (!isStyle) resolve()
  document.head.append(link)
  return promise
}
