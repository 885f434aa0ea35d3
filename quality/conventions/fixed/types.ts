import { type ESTree, Visitor } from 'vite'
import { findDeclaration, getNodeName, type Source, type Sources } from './sources.ts'

export type Place = { sources: Sources; source: Source; depth: number }

/**
 * Returns every column in the `Tables` type, plus an entry such as `orders.state "held"` for each value that a column's type allows. A
 * column that may contain any text or number has no such entries.
 */
export function findColumns(sources: Sources): { columns: string[]; values: string[] } {
  const columns: string[] = []
  const values: string[] = []
  for (const source of sources.values())
    new Visitor({
      TSInterfaceDeclaration({ id, body }) {
        if (id.name !== 'Tables') return
        for (const table of listDeclaredMembers(body.body))
          for (const [column, { type, place }] of getTypeMembers(table.type, { sources, source, depth: 0 })) {
            columns.push(`${table.name}.${column}`)
            values.push(
              ...listLiteralValues(type, place).map((value) => `${table.name}.${column} ${JSON.stringify(value)}`),
            )
          }
      },
    }).visit(source.program)
  return { columns, values }
}

export function listUnionValues(sources: Sources, path: string, name: string): (string | number)[] {
  const source = sources.get(path)
  return source ? listLiteralValues(source.types.get(name), { sources, source, depth: 0 }) : []
}

const maxDepth = 12
export type Typed = { type: ESTree.Node; place: Place }

function listDeclaredMembers(members: readonly ESTree.Node[]): { name: string; type: ESTree.Node }[] {
  return members.flatMap((member) =>
    member.type === 'TSPropertySignature' && member.typeAnnotation
      ? [{ name: getNodeName(member.key), type: member.typeAnnotation.typeAnnotation }]
      : [],
  )
}

export function getTypeMembers(type: ESTree.Node, place: Place): Map<string, Typed> {
  if (place.depth > maxDepth) return new Map()
  if (type.type === 'TSTypeLiteral' || type.type === 'TSInterfaceBody') {
    const members = listDeclaredMembers(type.type === 'TSTypeLiteral' ? type.members : type.body)
    return new Map(members.map((member) => [member.name, { type: member.type, place }]))
  }
  if (type.type === 'TSArrayType') return getTypeMembers(type.elementType, place)
  if (type.type === 'TSParenthesizedType') return getTypeMembers(type.typeAnnotation, place)
  if (type.type === 'TSIntersectionType' || type.type === 'TSUnionType')
    return new Map(type.types.flatMap((each) => [...getTypeMembers(each, place)]))
  if (type.type !== 'TSTypeReference') return new Map()
  const alias = findAlias(type, place)
  if (alias) return getTypeMembers(alias.type, alias.place)
  const [first] = type.typeArguments?.params ?? []
  return first ? getTypeMembers(first, place) : new Map()
}

export function findAlias({ typeName }: ESTree.TSTypeReference, { sources, source, depth }: Place): Typed | null {
  if (typeName.type !== 'Identifier') return null
  const found = findDeclaration(sources, source, typeName.name, (file, name) => file.types.get(name))
  return found && { type: found.found, place: { sources, source: found.source, depth: depth + 1 } }
}

function listLiteralValues(type: ESTree.Node | null | undefined, place: Place): (string | number)[] {
  if (!type || place.depth > maxDepth) return []
  const of = (each: ESTree.Node | null | undefined) => listLiteralValues(each, { ...place, depth: place.depth + 1 })
  switch (type.type) {
    case 'TSLiteralType': {
      const value = type.literal.type === 'Literal' ? type.literal.value : null
      return typeof value === 'string' || typeof value === 'number' ? [value] : []
    }
    case 'TSUnionType':
      return type.types.flatMap(of)
    case 'TSArrayType':
      return of(type.elementType)
    case 'TSTypeOperator':
      if (type.operator !== 'keyof') return of(type.typeAnnotation)
      return type.typeAnnotation.type === 'TSTypeQuery'
        ? listArrayElements(type.typeAnnotation, place)
        : [...getTypeMembers(type.typeAnnotation, place).keys()]
    case 'TSParenthesizedType':
      return of(type.typeAnnotation)
    case 'TSIndexedAccessType':
      return listIndexedValues(type, place)
    case 'TSTypeReference':
      return listReferencedValues(type, place)
    default:
      return []
  }
}

/**
 * Returns the literal values that a type reference allows. `Exclude` and `Extract` filter values. Any other generic type has the values of
 * all its type arguments.
 */
function listReferencedValues(type: ESTree.TSTypeReference, place: Place): (string | number)[] {
  const alias = findAlias(type, place)
  const given = (type.typeArguments?.params ?? []).map((each) =>
    listLiteralValues(each, { ...place, depth: place.depth + 1 }),
  )
  const [all = [], some = []] = given
  const name = getNodeName(type.typeName as ESTree.Node)
  if (name === 'Exclude') return all.filter((each) => !some.includes(each))
  if (name === 'Extract') return all.filter((each) => some.includes(each))
  return [...new Set([...(alias ? listLiteralValues(alias.type, alias.place) : []), ...given.flat()])]
}

function listIndexedValues({ objectType, indexType }: ESTree.TSIndexedAccessType, place: Place): (string | number)[] {
  const inner = objectType.type === 'TSParenthesizedType' ? objectType.typeAnnotation : objectType
  if (inner.type === 'TSTypeQuery') return listArrayElements(inner, place)
  const [name] = listLiteralValues(indexType, place)
  const member = getTypeMembers(inner, { ...place, depth: place.depth + 1 }).get(String(name))
  return member ? listLiteralValues(member.type, member.place) : []
}

function listArrayElements({ exprName }: ESTree.TSTypeQuery, { sources, source }: Place): (string | number)[] {
  const read = (node: ESTree.Node | null, from: Source): string[] => {
    if (!node) return []
    if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return read(node.expression, from)
    if (node.type === 'SpreadElement') return read(node.argument, from)
    if (node.type === 'Identifier') {
      const found = findDeclaration(sources, from, node.name, (file, name) => file.values.get(name))
      return found?.found.flatMap((value) => read(value, found.source)) ?? []
    }
    if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
    if (node.type === 'ArrayExpression') return node.elements.flatMap((each) => read(each, from))
    if (node.type !== 'ObjectExpression') return []
    return node.properties.flatMap((each) => (each.type === 'Property' ? [getNodeName(each.key)] : read(each, from)))
  }
  return exprName.type === 'Identifier' ? read(exprName, source) : []
}
