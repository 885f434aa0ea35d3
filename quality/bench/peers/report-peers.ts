import { digits, ratioOf, tableOf } from '../table.ts'
import type { PeerRow, PeersResult } from './measure-peers.ts'
import { peerNames } from './peer.ts'

const figures = ['a second', 'p50 ms', 'p99 ms', 'cpu ms']

export const linesOfPeers = ({ rows, missing }: PeersResult): string[] => [
  ...(rows.length === 0
    ? []
    : tableOf(
        ['', ...figures, ...peerNames.flatMap((name) => [`${name}/s`, 'p50 ms', 'p99 ms', 'cpu ms', 'calls', 'cpu'])],
        rows.map(rowOf),
      )),
  ...missing,
]

function rowOf({ name, product, peers }: PeerRow): string[] {
  const figure = (value: number | null | undefined): string => (typeof value === 'number' ? digits(value) : '–')
  return [
    name,
    ...[product.perSecond, product.p50, product.p99, product.processor].map(figure),
    ...peerNames.flatMap((peer) => {
      const other = peers[peer]
      return [
        ...[other?.perSecond, other?.p50, other?.p99, other?.processor].map(figure),
        ratioOf(product.perSecond, other?.perSecond),
        ratioOf(product.processor, other?.processor),
      ]
    }),
  ]
}
