import { type ESTree, Visitor } from 'vite'
import { getNodeName, type Source, type Sources, listPossibleTexts } from './sources.ts'

const kinds = [
  'cookies',
  'headers',
  'settings',
  'event-keys',
  'message-kinds',
  'limit-keys',
  'key-purposes',
  'locks',
  'call-keys',
  'audit-details',
  'browser-storage',
  'query-parameters',
  'operator-fields',
  'metrics',
  'watching-routes',
  'files',
  'underscored',
  'capitals',
] as const
type Kind = (typeof kinds)[number]
export type NamesInSource = Record<Kind, Set<string>>

type Rule = {
  kind: Kind
  name: RegExp
  of?: RegExp
  /** The index of the function argument that contains the name to collect. */
  at?: number
  path?: RegExp
  /** The name of a property that the object must have as well. */
  beside?: string
  /** Whether the names to collect are the object's keys. */
  keys?: true
}

const argumentRules: Rule[] = [
  { kind: 'cookies', name: /^(setCookie|clearCookie)$/, at: 0 },
  { kind: 'cookies', name: /^cookieValues$/, at: 1 },
  { kind: 'headers', name: /^(header|getHeader|removeHeader|setHeader|setRequestHeader|getResponseHeader)$/, at: 0 },
  { kind: 'headers', name: /^(get|has|append|set)$/, of: /headers$/i, at: 0 },
  { kind: 'headers', name: /^headers$/, at: 0, keys: true },
  { kind: 'limit-keys', name: /^(addEpochToLimitKey|createStrictLimit)$/, at: 0 },
  { kind: 'locks', name: /^lockKeysForCounting$/, at: 1 },
  { kind: 'key-purposes', name: /^(hash|hashes|sealKept|openKept)$/, of: /^secrets$/, at: 0 },
  { kind: 'key-purposes', name: /^deriveKey$/, at: 1 },
  { kind: 'browser-storage', name: /^(getItem|setItem|removeItem|clearDraft)$/, at: 0 },
  {
    kind: 'browser-storage',
    name: /^(getIdempotencyKey|clearIdempotencyKey|useUnresolvedOrder|saveUnresolvedOrder)$/,
    at: 0,
  },
  { kind: 'query-parameters', name: /^(get|has|getAll)$/, of: /^(URLSearchParams|searchParams)$/, at: 0 },
  { kind: 'operator-fields', name: /^(object|strictObject)$/, of: /^v$/, at: 0, path: /^app\/operator\//, keys: true },
  { kind: 'watching-routes', name: /^get$/, of: /^app$/, at: 0, path: /^app\/watching\// },
]

const propertyRules: Rule[] = [
  { kind: 'event-keys', name: /^eventKey$/ },
  { kind: 'limit-keys', name: /^key$/, beside: 'times' },
  {
    kind: 'call-keys',
    name: /^(idempotency_?key|external_?id|merchantReference|reference)$/i,
    path: /^(features|providers)\//,
  },
  { kind: 'audit-details', name: /^details$/, keys: true },
  { kind: 'browser-storage', name: /^(draftKey|place|purchase)$/, path: /^features\/.*\/web\// },
  { kind: 'headers', name: /^headers$/, keys: true },
]

const variableRules: Rule[] = [
  { kind: 'cookies', name: /cookie(name)?$/i },
  {
    kind: 'message-kinds',
    name: /^(messageComposers|sendingHoursByKind|textMessageTopics)$/,
    path: /(recreate-message|messages\.jobs|message\.labels)\.ts$/,
    keys: true,
  },
]

const settingNamePattern = /^[A-Z][A-Z0-9_]+$/
const constantNamePattern = /^[A-Z]+(_[A-Z\d]+)+$/
const file = /^\/(?:(?:static|desk\/build)\/[\w./]*|robots\.txt|favicon\.ico|service-worker\.js)$/
const headerNamePattern =
  /^(x|accept|cache|clear|content|cross|idempotency|if|permissions|referrer|retry|set|strict|www)-[a-z-]+$/

export function findNames(sources: Sources): NamesInSource {
  const found = Object.fromEntries(kinds.map((kind) => [kind, new Set<string>()])) as NamesInSource
  for (const source of sources.values()) new Visitor(createNodeVisitor(sources, source, found)).visit(source.program)
  for (const key of found['event-keys']) if (/^[a-z-]+:/.test(key)) found['message-kinds'].add(key.split(':')[0] ?? '')
  return found
}

type VisitorObject = ConstructorParameters<typeof Visitor>[0]
type NameSearch = {
  sources: Sources
  source: Source
  found: NamesInSource
  take(rule: Rule, node: ESTree.Node | null | undefined): void
}

const holds = ({ name, path }: Rule, given: string, source: Source): boolean =>
  name.test(given) && (!path || path.test(source.path))

function createNodeVisitor(sources: Sources, source: Source, found: NamesInSource): VisitorObject {
  const take: NameSearch['take'] = ({ kind, keys }, node) => {
    const names = keys ? listKeys(node) : listPossibleTexts(sources, source, node)
    // Skip strings with spaces: they are sentences, not fixed names.
    for (const name of names) if (/^\S+$/.test(name)) found[kind].add(name)
  }
  return {
    CallExpression({ callee, arguments: given }) {
      const on = callee.type === 'MemberExpression' ? getObjectName(source, callee.object) : ''
      for (const rule of argumentRules)
        if (holds(rule, getNodeName(callee), source) && (!rule.of || rule.of.test(on))) take(rule, given[rule.at ?? 0])
    },
    NewExpression({ callee, arguments: [first] }) {
      if (getNodeName(callee) === 'URLSearchParams') take({ kind: 'query-parameters', name: /./, keys: true }, first)
    },
    ObjectPattern(pattern) {
      for (const key of listKeys(pattern))
        if (settingNamePattern.test(key) && key.includes('_')) found.settings.add(key)
      for (const each of pattern.properties)
        if (each.type === 'Property' && getNodeName(each.key) === 'headers')
          take({ kind: 'headers', name: /./, keys: true }, each.value)
    },
    MemberExpression({ object, property, computed }) {
      const on = getNodeName(object)
      if (on === 'cookies') take({ kind: 'cookies', name: /./ }, property)
      if (on === 'headers' && computed) take({ kind: 'headers', name: /./ }, property)
      else if (on === 'headers' && !/^(get|has|append|set|includes)$/.test(getNodeName(property)))
        found.headers.add(getNodeName(property))
      const isBuildSetting = object.type === 'MemberExpression' && object.object.type === 'MetaProperty'
      if (/^(env|environment)$/.test(on) && !isBuildSetting && settingNamePattern.test(getNodeName(property)))
        found.settings.add(getNodeName(property))
    },
    VariableDeclarator({ id, init }) {
      for (const rule of variableRules) if (holds(rule, getNodeName(id), source)) take(rule, init)
    },
    ...createObjectVisitor({ sources, source, found, take }),
    ...texts(found),
  }
}

const createObjectVisitor = ({ sources, source, found, take }: NameSearch): VisitorObject => ({
  ObjectExpression({ properties }) {
    const values = new Map(
      properties.flatMap((each): [string, ESTree.Node][] =>
        each.type === 'Property' ? [[getNodeName(each.key), each.value]] : [],
      ),
    )
    for (const [key, value] of values) {
      for (const rule of propertyRules)
        if (holds(rule, key, source) && (!rule.beside || values.has(rule.beside))) take(rule, value)
      if (headerNamePattern.test(key)) found.headers.add(key)
    }
    if (!values.has('help')) return
    const labels = listPossibleTexts(sources, source, values.get('labelNames'))
    for (const name of listPossibleTexts(sources, source, values.get('name')))
      if (/^fantail_\w+$/.test(name)) found.metrics.add([name, ...labels].join(' '))
  },
  TSPropertySignature({ key, typeAnnotation }) {
    if (!/^(Querystring|Body)$/.test(getNodeName(key)) || !/^(app|demo)\//.test(source.path)) return
    const type = typeAnnotation?.typeAnnotation
    for (const each of type?.type === 'TSUnionType' ? type.types : [type])
      for (const name of listMembers(source, each)) found['operator-fields'].add(name)
  },
})

const texts = (found: NamesInSource): VisitorObject => ({
  TemplateLiteral: ({ quasis }) => quasis.forEach(({ value }) => addQueryParameters(value.cooked ?? '', found)),
  Literal({ value }) {
    if (typeof value !== 'string') return
    addQueryParameters(value, found)
    if (file.test(value)) found.files.add(value)
    if (constantNamePattern.test(value)) found.capitals.add(value)
  },
  TaggedTemplateExpression({ quasi }) {
    const text = quasi.quasis.map(({ value }) => value.cooked).join('{}')
    for (const [, lock = ''] of text.matchAll(/hashtextextended\('(.+?)'/g)) found.locks.add(lock)
  },
  // Identifiers never contain underscores, so a property name with an underscore is a JSON field, a column or a provider's code.
  Property({ key, computed }) {
    if (computed) return
    if (/^[a-z]+(_[a-z\d]+)+$/.test(getNodeName(key))) found.underscored.add(getNodeName(key))
    if (constantNamePattern.test(getNodeName(key))) found.capitals.add(getNodeName(key))
  },
})

function addQueryParameters(text: string, found: NamesInSource): void {
  for (const [, name = ''] of text.matchAll(/[?&]([a-z_]+)=/g)) found['query-parameters'].add(name)
}

function getObjectName(source: Source, owner: ESTree.Node): string {
  if (owner.type === 'NewExpression') return getNodeName(owner.callee)
  const made =
    owner.type === 'Identifier' && source.values.get(owner.name)?.find(({ type }) => type === 'NewExpression')
  return made && made.type === 'NewExpression' ? getNodeName(made.callee) : getNodeName(owner)
}

function listKeys(node: ESTree.Node | null | undefined): string[] {
  if (node?.type === 'LogicalExpression') return listKeys(node.right)
  if (node?.type !== 'ObjectExpression' && node?.type !== 'ObjectPattern') return []
  return node.properties.flatMap((each) =>
    each.type === 'Property' ? [getNodeName(each.key)] : listKeys(each.argument),
  )
}

function listMembers(source: Source, type: ESTree.Node | null | undefined): string[] {
  if (type?.type === 'TSTypeReference')
    return listMembers(source, source.types.get(getNodeName(type.typeName as ESTree.Node)))
  if (type?.type === 'TSUnionType' || type?.type === 'TSIntersectionType')
    return type.types.flatMap((each) => listMembers(source, each))
  if (type?.type !== 'TSTypeLiteral') return []
  return type.members.flatMap((member) => (member.type === 'TSPropertySignature' ? [getNodeName(member.key)] : []))
}
