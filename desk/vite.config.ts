import { join } from 'node:path'
import { buildClassName, deskStyleSheets, createClassNameShortener } from '../app/build/class-names.ts'
import { bundleOptions } from '../app/build/options.ts'

const root = join(import.meta.dirname, '..')
const isIn = (folder: string, id: string): boolean => id.startsWith(`${root}/${folder}/`)
const reactPackages = ['react', 'react-dom', 'scheduler']

export default bundleOptions({
  root,
  base: '/desk/build/',
  classNameIn:
    process.env['NODE_ENV'] === 'production' ? createClassNameShortener(root, deskStyleSheets) : buildClassName,
  client: 'desk/app/web/entry-client.tsx',
  server: 'desk/app/web/entry-server.tsx',
  groups: [
    { name: 'react', test: (id: string) => reactPackages.some((name) => isIn(`node_modules/${name}`, id)) },
    { name: 'desk', tags: ['$initial'] },
    // Code in `kit` that several pages share is split into two chunks: form code, and everything else.
    {
      name: 'forms',
      test: (id: string) => isIn('kit/web/form', id) || isIn('node_modules/valibot', id) || isIn('kit/contract', id),
      minShareCount: 2,
    },
    { name: 'common', test: (id: string) => isIn('kit', id), minShareCount: 3 },
  ],
})
