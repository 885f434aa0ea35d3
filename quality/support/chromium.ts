import { spawnSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const shell = '/usr/bin/chromium-headless-shell'

type Environment = Record<string, string | undefined>

/**
 * Finds the path of a Chromium: `CHROMIUM_PATH`, a system path, or Playwright's. On Debian, root installs Chromium if there is none.
 * @throws an error with a one-line message that says what to install
 */
export async function findChromium(env: Environment = process.env): Promise<string> {
  const named = env['CHROMIUM_PATH']
  if (named) {
    if (isProgram(named)) return named
    throw new Error(`CHROMIUM_PATH names no program: ${named}`)
  }
  const found = chromiumPaths(env).find(isProgram) ?? (canInstall() ? installChromium() : undefined)
  if (found) return found
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH',
  )
}

/**
 * Launches a headless Chromium that sends no network requests of its own. `more` contains additional command line flags. The caller must
 * close the browser.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

/** Returns the paths where a Chromium might be installed, in order of preference. */
export function chromiumPaths(env: Environment): string[] {
  const home = homedir()
  const cacheFolders = [
    ...(env['PLAYWRIGHT_BROWSERS_PATH'] ? [env['PLAYWRIGHT_BROWSERS_PATH']] : []),
    join(home, '.cache/ms-playwright'),
    join(home, 'Library/Caches/ms-playwright'),
    join(env['LOCALAPPDATA'] ?? join(home, 'AppData/Local'), 'ms-playwright'),
  ]
  return [
    // Prefer the headless shell: it has the same engine but no user interface, and needs a third less processor time.
    shell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    join(env['PROGRAMFILES'] ?? 'C:\\Program Files', 'Google/Chrome/Application/chrome.exe'),
    ...cacheFolders.flatMap(listPlaywrightBrowsers),
  ]
}

/**
 * Returns the browsers installed by Playwright, newest revision first. Each revision has its own folder:
 * `chromium-1234/chrome-linux/chrome`.
 */
function listPlaywrightBrowsers(folder: string): string[] {
  const programNames = [
    'chrome',
    'chrome.exe',
    'Chromium',
    'Google Chrome for Testing',
    'headless_shell',
    'chrome-headless-shell',
  ]
  return globSync(`chromium*-*/chrome-*/**/{${programNames.join(',')}}`, { cwd: folder })
    .toSorted((a, b) => parseRevision(b) - parseRevision(a))
    .map((path) => join(folder, path))
}

const parseRevision = (path: string): number => Number(/-(\d+)/.exec(path)?.[1] ?? 0)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const canInstall = (): boolean => platform() === 'linux' && process.getuid?.() === 0 && isProgram('/usr/bin/apt-get')

function installChromium(): string | undefined {
  console.log('Installing Chromium for the browser tests …')
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update')
  const add = (name: string) => apt('install', '-y', '--no-install-recommends', name, 'fonts-dejavu-core')
  add('chromium-headless-shell')
  // Install the whole browser if the system's package repository has no headless shell.
  if (!isProgram(shell)) add('chromium')
  return [shell, '/usr/bin/chromium'].find(isProgram)
}
