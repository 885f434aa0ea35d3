/** Every cycle of a graph, as the nodes along it and the first one again. Empty for a graph without cycles. */
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
