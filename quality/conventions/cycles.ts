/**
 * Finds every cycle in a graph. A cycle is a list of its nodes, with the first node repeated at the end. Returns an empty list if the graph
 * has no cycles.
 */
export function findCycles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (node: string): void => {
    const at = trail.indexOf(node)
    if (at >= 0) cycles.push([...trail.slice(at), node])
    if (at >= 0 || done.has(node)) return
    trail.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    trail.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return cycles
}
