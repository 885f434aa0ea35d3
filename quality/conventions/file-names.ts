export const extractDocumentedRoles = (document: string): Set<string> =>
  new Set(
    [...document.matchAll(/^\|.*/gm)].flatMap(([row]) =>
      [...row.matchAll(/`[^`]*?\.([a-z-]+)\.tsx?`/g)].map(([, role = '']) => role),
    ),
  )

/**
 * Returns the feature files whose names break the rule. A name is `<subject>.<role>.ts` or `<subject>.ts`, in lower case with hyphens, or
 * the name of a component. A role has no hyphens. Test files may have any name.
 */
export const findMisnamedFiles = (paths: readonly string[], roles: ReadonlySet<string>): string[] =>
  paths.filter((path) => {
    const name = path.split('/').at(-1) ?? ''
    if (/\.test\.tsx?$/.test(name)) return false
    const [, subject = '', role] = /^([\w-]+)(?:\.([a-z-]+))?\.tsx?$/.exec(name) ?? []
    if (role !== undefined) return !roles.has(role)
    if (path.includes('/web/')) return subject === ''
    return !/^[a-z][a-z-]*$/.test(subject) || roles.has(/-([a-z]+)$/.exec(subject)?.[1] ?? '')
  })
