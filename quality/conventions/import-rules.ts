import { matchesGlob } from 'node:path'
import { findCycles } from './cycles.ts'
import { listImports } from './imports.ts'

export type Tree = Readonly<Record<string, string>>

export type AllowedNeighbours = {
  readonly features: Readonly<Record<string, readonly string[]>>
  readonly components: readonly string[]
}

type Rule = {
  /** A glob pattern for the files that the rule applies to. Each file follows the first rule whose pattern matches it. */
  readonly of: string
  readonly knows: readonly string[]
  readonly neighbours?: readonly string[]
  /** These files are also loaded in the browser, so they must not import Node modules. */
  readonly browser?: true
}

const neighbourFiles = ['features/NEIGHBOUR/*.contract.ts', 'features/NEIGHBOUR/*.states.ts']
const slice = ['features/SELF/*.contract.ts', 'features/SELF/*.states.ts', 'kit/contract/**']
/** The parts of the UI kit that customer pages may use. The desk's widgets are excluded, because they would make customer pages larger. */
const customerKit = ['kit/web/*', 'kit/web/!(desk)/**']
/**
 * The contracts that a desk slice may import: those of other desk slices and of customer slices. This way, desk pages use the same names.
 */
const deskContracts = [
  'desk/features/*/*.contract.ts',
  'features/*/*.contract.ts',
  'features/*/*.states.ts',
  'kit/contract/**',
]

const rules: readonly Rule[] = [
  { of: '*.ts', knows: ['**'] },
  // Customer pages, and the code that prepares them, import nothing that belongs to the desk.
  {
    of: 'app/{web,render,offline,provider,watching}/**/!(*.test).{ts,tsx}',
    knows: ['!(desk|kit)/**', '*', 'kit/!(web)/**', ...customerKit],
  },
  { of: 'app/pages.ts', knows: ['!(desk)/**'] },
  ...['app', 'demo', 'operator', 'quality'].map((folder) => ({ of: `${folder}/**`, knows: ['**'] })),
  { of: '**/*.test.{ts,tsx}', knows: ['**'] },
  { of: 'desk/*.ts', knows: ['**'] },
  { of: 'desk/app/**', knows: ['**'] },

  { of: 'kit/contract/**', knows: ['kit/contract/**'], browser: true },
  { of: 'kit/web/desk/**', knows: ['kit/web/**', 'kit/contract/**'], browser: true },
  { of: 'kit/web/**', knows: [...customerKit, 'kit/contract/**'], browser: true },
  { of: 'kit/server/**', knows: ['kit/server/**', 'kit/contract/**'] },
  { of: 'db/**', knows: ['db/**', 'kit/server/**', 'kit/contract/**'] },
  { of: 'providers/*/*.port.ts', knows: ['kit/contract/**'] },
  // All adapters share one HTTP client, and all TM Forum adapters call the network in the same way.
  { of: 'providers/*/**', knows: ['providers/SELF/**', 'providers/http/**', 'providers/tmf/**', 'kit/contract/**'] },
  { of: 'simulators/**', knows: ['simulators/**'] },
  // Deployment programs run on a server before or beside Fantail, so they must not depend on it.
  { of: 'deploy/**', knows: ['deploy/**'] },
  /*
   * The conformance tests must not use Fantail's settings, database or stock (decision 0059). They encrypt cards in the same way as a
   * browser.
   */
  {
    of: 'conformance/**',
    knows: ['conformance/**', 'providers/**', 'kit/contract/**', 'kit/server/config/**', 'kit/web/card/*.ts'],
  },

  { of: 'features/*/*.states.ts', knows: ['kit/contract/**'], browser: true },
  { of: 'features/*/*.contract.ts', knows: slice, neighbours: ['features/NEIGHBOUR/*.contract.ts'], browser: true },
  {
    of: 'features/*/server/**',
    knows: ['features/SELF/server/**', ...slice, 'kit/server/**', 'providers/*/*.port.ts'],
    neighbours: [
      ...neighbourFiles,
      'features/NEIGHBOUR/server/NEIGHBOUR.ts',
      'features/NEIGHBOUR/server/*.{store,deps,present}.ts',
    ],
  },
  {
    of: 'features/*/web/**',
    knows: ['features/SELF/web/**', ...slice, ...customerKit],
    neighbours: neighbourFiles,
    browser: true,
  },

  /*
   * A desk slice may use the use cases and stores of customer slices, as the code that assembles Fantail does. No customer slice may import
   * the desk.
   */
  { of: 'desk/features/*/*.contract.ts', knows: deskContracts, browser: true },
  {
    of: 'desk/features/*/web/**',
    knows: [
      'desk/features/SELF/web/**',
      'desk/features/*/web/{me.*,counters.queries.ts,ReasonFields.tsx,*.labels.ts,with-form-errors.ts}',
      ...deskContracts,
      'kit/web/**',
    ],
    browser: true,
  },
  {
    of: 'desk/features/*/server/**',
    knows: [
      'desk/features/SELF/server/**',
      'desk/features/*/server/!(*.routes).ts',
      'desk/app/desk-routes.ts',
      ...deskContracts,
      'features/*/server/!(*.routes|*.jobs|*.queue).ts',
      'app/{deps,recreate-message}.ts',
      'kit/server/**',
      'providers/*/*.port.ts',
    ],
  },
]

export function findImportFaults(tree: Tree, neighbours: AllowedNeighbours): string[] {
  const sources = Object.keys(tree).filter((path) => /\.tsx?$/.test(path))
  const graph = new Map<string, Set<string>>()
  const faults = findCycles(new Map(Object.entries(neighbours.features))).map(
    (way) => `cycle of allowed imports: ${way.join(' → ')}`,
  )
  for (const path of sources) {
    const targets = listImports(path, tree[path] ?? '')
    graph.set(path, new Set(targets.flatMap((target) => ('file' in target ? [target.file] : []))))
    const rule = rules.find(({ of }) => matchesGlob(path, of))
    if (!rule) {
      faults.push(`${path} is outside the documented folder layout`)
      continue
    }
    for (const target of targets) {
      if ('npm' in target) continue
      if ('node' in target) {
        if (rule.browser) faults.push(`${path} imports ${target.node}, but browsers load this file too`)
        continue
      }
      // Imports from `dist/` are not checked, because build output is missing from the list of files.
      if (!(target.file in tree) && !target.file.startsWith('dist/'))
        faults.push(`${path} imports ${target.file}: no such file`)
      else if (!mayImport(path, target.file, rule, neighbours))
        faults.push(`${path} imports ${target.file}, which ${rule.of} may not import`)
    }
  }
  return [...faults, ...findCycles(graph).map((way) => `import cycle: ${way.join(' → ')}`)]
}

function mayImport(path: string, target: string, rule: Rule, { features, components }: AllowedNeighbours): boolean {
  const self = path.split('/')[path.startsWith('desk/') ? 2 : 1] ?? ''
  if (/\.(?:test|e2e)\.tsx?$/.test(target)) return false
  if (rule.knows.some((known) => matchesGlob(target, known.replaceAll('SELF', self)))) return true
  if (/^desk\/features\/[^/]+\/web\//.test(path) && target.startsWith('desk/') && components.includes(target))
    return true
  const [top, neighbour = ''] = target.split('/')
  if (!rule.neighbours || top !== 'features' || !features[self]?.includes(neighbour)) return false
  if (rule.neighbours.some((known) => matchesGlob(target, known.replaceAll('NEIGHBOUR', neighbour)))) return true
  return /^features\/\w[\w-]*\/web\//.test(path) && components.includes(target)
}
