import type { Plugin } from 'vite'

const main = '/node_modules/react-dom/cjs/react-dom-client.production.js'
const entries = ['/node_modules/react-dom/client.js', '/node_modules/react-dom/index.js']

/** What a visitor's browser need not do of React's package: its code stays as it is. */
export function reactPackage(): Plugin {
  return {
    name: 'react-package',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (id.endsWith(main)) return { code: withoutStacks(code), map: null }
      if (entries.some((entry) => id.endsWith(entry))) return { code: unasked(code), map: null }
      return null
    },
  }
}

/**
 * A script that runs with no stack kept of the errors it makes meanwhile; what it makes later has one. React makes some when it
 * is read, to throw them later. Where somebody debugs or measures, V8 looks up the line of each caller at once, and parses the
 * one function that all of React is in anew: two thirds of the time that running our scripts takes there.
 */
export const withoutStacks = (code: string): string => `
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = undefined;
  ${code}
  Error.stackTraceLimit = limit;
`

/** It does not ask the developer tools whether it is the build that is meant for visitors. */
export const unasked = (code: string): string => code.replace(/\bcheckDCE\(\);/, '')
