import { readdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createBuilder } from 'vite'

/*
 * Builds bundles in a separate process. Each pair of arguments is a configuration file and an output folder. A separate
 * process keeps the bundler out of the server's memory, and always uses React's production build, whatever NODE_ENV the
 * server or a test has.
 */

const root = join(import.meta.dirname, '../..')
const bundleArguments = process.argv.slice(2)
if (bundleArguments.length === 0 || process.env['NODE_ENV'] !== 'production')
  throw new Error('Started by app/build/build-bundles.ts only')

const folders: string[] = []
const builds: Promise<void>[] = []
for (let at = 0; at < bundleArguments.length; at += 2) {
  const [config = '', folder = ''] = bundleArguments.slice(at, at + 2)
  folders.push(folder)
  builds.push(bundle(config, folder))
}
await Promise.all(builds)
for (const folder of folders) await compressAll(join(folder, 'client'))

async function bundle(config: string, folder: string): Promise<void> {
  const builder = await createBuilder({
    root,
    configFile: join(root, config),
    configLoader: 'native',
    logLevel: 'warn',
    environments: {
      client: { build: { outDir: join(folder, 'client') } },
      ssr: {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
        build: { outDir: join(folder, 'server') },
      },
    },
  })
  await Promise.all(Object.values(builder.environments).map((environment) => builder.build(environment)))
}

async function compressAll(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name)).values()
  const work = async (): Promise<void> => {
    for (const name of names) await compress(join(folder, name))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

async function compress(file: string): Promise<void> {
  const body = await readFile(file)
  await writeFile(`${file}.gz`, await promisify(gzip)(body, { level: 9 }))
  await writeFile(
    `${file}.br`,
    await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  )
}
