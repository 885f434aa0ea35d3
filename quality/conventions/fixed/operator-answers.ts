import type { ESTree } from 'vite'
import { findDeclaration, getNodeName, type Sources } from './sources.ts'
import { findAlias, getTypeMembers, type Typed } from './types.ts'

/**
 * Returns the response fields that the operator command line reads, such as `refunds.amount`. With `--json`, these fields are printed
 * unchanged. The function follows the types that the commands import, whether they are declared or inferred from what a function returns.
 */
export function findOperatorAnswers(sources: Sources): string[] {
  const commands = [...sources.values()].filter(({ path }) => path.startsWith('operator/'))
  const answers = commands.flatMap(({ imports }) =>
    [...imports.values()].filter(({ file }) => !/^(operator|kit)\//.test(file)),
  )
  return answers.flatMap(({ file, name }) => {
    const source = sources.get(file)
    const type = source?.types.get(name)
    return source && type ? listTypeFields('', { type, place: { sources, source, depth: 0 } }) : []
  })
}

const maxDepth = 8

function listTypeFields(before: string, { type, place }: Typed): string[] {
  if (place.depth > maxDepth) return []
  const nestedLocation = { ...place, depth: place.depth + 1 }
  const returnedFields = listFunctions(type).flatMap((name) => findReturnedFields(before, { name, ...nestedLocation }))
  const alias = type.type === 'TSTypeReference' ? findAlias(type, place) : null
  const members = [...getTypeMembers(type, place)].flatMap(([name, member]) => [
    before + name,
    ...listTypeFields(`${before}${name}.`, { ...member, place: { ...member.place, depth: nestedLocation.depth } }),
  ])
  const parts =
    type.type === 'TSIntersectionType' || type.type === 'TSUnionType'
      ? type.types.flatMap((each) => listTypeFields(before, { type: each, place: nestedLocation }))
      : []
  return [...returnedFields, ...members, ...parts, ...(alias ? listTypeFields(before, alias) : [])]
}

function listFunctions(type: ESTree.Node): string[] {
  if (type.type === 'TSTypeQuery') return [getNodeName(type.exprName as ESTree.Node)]
  if (type.type === 'TSTypeReference') return (type.typeArguments?.params ?? []).flatMap(listFunctions)
  return type.type === 'TSArrayType' ? listFunctions(type.elementType) : []
}

type Named = Typed['place'] & { name: string }

function findReturnedFields(before: string, { name, sources, source, depth }: Named): string[] {
  const found = findDeclaration(sources, source, name, (file, each) => file.values.get(each))
  return found?.found.flatMap((value) => collectFields(before, value, { sources, source: found.source, depth })) ?? []
}

function collectFields(before: string, node: ESTree.Node | null | undefined, place: Typed['place']): string[] {
  if (!node || place.depth > maxDepth) return []
  const deeperPlace = { ...place, depth: place.depth + 1 }
  const of = (each: ESTree.Node | null | undefined) => collectFields(before, each, deeperPlace)
  switch (node.type) {
    case 'ObjectExpression':
      return node.properties.flatMap((each) => {
        if (each.type !== 'Property') return of(each.argument)
        const name = before + getNodeName(each.key)
        return [name, ...collectFields(`${name}.`, each.value, deeperPlace)]
      })
    case 'Identifier':
      return findReturnedFields(before, { name: node.name, ...deeperPlace })
    case 'CallExpression':
      return node.callee.type === 'Identifier'
        ? of(node.callee)
        : /^(map|flatMap|then)$/.test(getNodeName(node.callee))
          ? node.arguments.flatMap(of)
          : []
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(of)
    case 'LogicalExpression':
      return [node.left, node.right].flatMap(of)
    case 'ArrayExpression':
      return node.elements.flatMap(of)
    case 'ArrowFunctionExpression':
      return of(node.body)
    case 'BlockStatement':
      return node.body.flatMap(of)
    case 'ReturnStatement':
    case 'AwaitExpression':
      return of(node.argument)
    default:
      return 'expression' in node && typeof node.expression === 'object' ? of(node.expression as ESTree.Node) : []
  }
}
