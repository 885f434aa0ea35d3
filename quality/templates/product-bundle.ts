import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '../..')

/** Packages that load files of their own at run time and so cannot be bundled. */
const externalPackages = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  'dejavu-fonts-ttf',
  'fontkit',
  'harfbuzzjs',
  'pdfkit',
  'subset-font',
  'vite',
]

/**
 * Bundles Fantail into a few files before tests that start it many times. Loading its thousand source files takes up half of the processor
 * time needed to start it. `createProductProcess` runs the bundle in the folder `PRODUCT_BUNDLE`.
 */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-product-'))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [sourcePathPlugin],
    ssr: { noExternal: true, external: externalPackages },
    build: {
      ssr: true,
      emptyOutDir: true,
      outDir: join(folder, 'product'),
      target: 'esnext',
      rolldownOptions: {
        input: {
          main: join(root, 'app/main.ts'),
          'kill-before-statement': join(root, 'quality/support/kill-before-statement.ts'),
        },
        output: { entryFileNames: '[name].js' },
      },
    },
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  process.env['PRODUCT_BUNDLE'] = join(folder, 'product')
  return () => {
    delete process.env['PRODUCT_BUNDLE']
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Keeps the source files' paths in the bundle, which Fantail uses to find its migrations, providers and threads. */
const sourcePathPlugin: Plugin = {
  name: 'source-paths',
  enforce: 'pre',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: /import\.meta\.(dirname|url)/ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}
