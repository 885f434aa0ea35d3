import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * Prefix that runs a command as root without any capabilities. Switching to an ordinary user would not work everywhere,
 * because that user might not be able to read this checkout.
 */
const stranger = ['setpriv', '--bounding-set=-all', '--inh-caps=-all']
const isRoot = process.getuid?.() === 0

let tree: string
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'fantail-tree-'))
  for (const path of ['app', 'desk', 'features', 'kit', 'package.json', 'package-lock.json', 'vite.config.ts'])
    cpSync(path, join(tree, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'))
  giveAway()
})
function giveAway(): void {
  spawnSync('chown', ['--recursive', '--no-dereference', '65534:65534', tree])
  spawnSync('chmod', ['--recursive', 'u=rwX,go=rX', tree])
}
afterAll(() => rmSync(tree, { recursive: true, force: true }))

function build(...before: string[]) {
  const [command = '', ...args] = [...before, process.execPath, 'app/build.ts']
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: tree, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}`.trim() }
}

describe.skipIf(!isRoot || process.platform !== 'linux')('a user without write access to the tree', () => {
  test('without write access, a build fails and says what to do if there is no earlier build', () => {
    expect(build(...stranger)).toEqual({
      status: 1,
      said:
        `The portal and the desk are not built, and this user may not write to ${join(tree, 'dist')}: ` +
        'run `npm run build` first, as a user who may write there.',
    })
  })

  test('without write access, the build command reuses existing builds and creates no files', () => {
    const [portal = '', desk = ''] = foldersOf(tree)
    mkdirSync(portal, { recursive: true })
    giveAway()
    expect(build(...stranger)).toMatchObject({ status: 1, said: expect.stringMatching(/^The desk is not built, and/) })
    mkdirSync(desk, { recursive: true })
    giveAway()
    expect(build(...stranger)).toEqual({ status: 0, said: `The portal is in ${portal}\nThe desk is in ${desk}` })
    expect(readdirSync(join(tree, 'dist'))).toHaveLength(2)
  })
})

function foldersOf(folder: string): string[] {
  const from = (path: string): string => JSON.stringify(resolve(folder, path))
  const program = `Promise.all([import(${from('app/build.ts')}), import(${from('desk/app/build.ts')})])
    .then(async ([portal, desk]) => console.log(await portal.portalFolder(), await desk.deskFolder()))`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd: folder, encoding: 'utf8' })
  if (stderr) throw new Error(stderr)
  return stdout.trim().split(' ')
}
