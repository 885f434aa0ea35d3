import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createBuilder, type Rolldown } from 'vite'
import { chunkGroups, formModules, reactPackages, sharedScripts } from './chunk-groups.ts'

const root = join(import.meta.dirname, '../..')
const named = Object.values<readonly string[]>(sharedScripts).flat()

describe('the chunk group configuration', () => {
  test.each([...named, ...formModules.files, ...formModules.others, ...formModules.folders])(
    'the file %s, which is listed in a chunk group, exists',
    (path) => {
      expect(existsSync(join(root, path))).toBe(true)
    },
  )

  test.each(reactPackages)('the package %s, which belongs to a chunk group, is installed', (name) => {
    expect(existsSync(join(root, 'node_modules', name, 'package.json'))).toBe(true)
  })

  test('every file is in only one chunk group', () => {
    expect(named).toEqual([...new Set(named)])
  })

  test('every chunk group matches at least one existing module', () => {
    const files = globSync(['{app,features,kit}/**/*.{ts,tsx}', 'node_modules/{react,valibot}/**/*.{js,mjs}'], {
      cwd: root,
    })
    const ids = files.map((file) => `${root}/${file}`)
    const idle = chunkGroups(root).filter(({ name, test: takes }) => {
      const isTaken = takes ?? (typeof name === 'function' ? name : () => false)
      return !ids.some((id) => isTaken(id))
    })
    expect(idle).toEqual([])
  })
})

describe('how a build is divided into chunks', () => {
  let chunks: { name: string; modules: string[] }[]

  beforeAll(async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const builder = await createBuilder({
      root,
      configFile: join(root, 'vite.config.ts'),
      configLoader: 'native',
      logLevel: 'warn',
      environments: { client: { build: { write: false } } },
    })
    const built = (await builder.build(builder.environments['client']!)) as Rolldown.RolldownOutput
    chunks = built.output.flatMap((chunk) =>
      chunk.type === 'chunk'
        ? [{ name: chunk.name, modules: Object.keys(chunk.modules).map((id) => id.slice(root.length + 1)) }]
        : [],
    )
  })

  const chunkOf = (module: string) => chunks.find(({ modules }) => modules.includes(module))?.name

  test('every file in a chunk group is bundled into the chunk of the same name', () => {
    const meant = Object.entries(sharedScripts).flatMap(([name, files]) => files.map((file) => [file, name]))
    expect(meant.map(([file = '']) => [file, chunkOf(file)])).toEqual(meant)
  })

  test.each(Object.keys(sharedScripts))('the build has exactly one chunk named %s', (wanted) => {
    expect(chunks.filter(({ name }) => name === wanted)).toHaveLength(1)
  })

  test('form code, code shared by many pages, and React each have their own chunk', () => {
    const made = [...formModules.files, 'kit/web/form/use-form.ts', 'node_modules/valibot/dist/index.mjs']
    expect(made.map(chunkOf)).toEqual(made.map(() => 'forms'))
    expect(formModules.others.map(chunkOf)).toEqual(['common'])
    const react = chunks.find(({ name }) => name === 'react')
    expect(react?.modules.every((module) => module.startsWith('node_modules/'))).toBe(true)
    expect(chunks.filter(({ modules }) => modules.some((module) => module.startsWith('node_modules/react')))).toEqual([
      react,
    ])
  })

  test('the router, the page frame and the query client are in every page’s entry chunk', () => {
    for (const module of ['kit/web/router/Outlet.tsx', 'app/web/Frame.tsx', 'kit/web/query/query-client.ts'])
      expect(chunkOf(module)).toBe('entry-client')
  })
})
