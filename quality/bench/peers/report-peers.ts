import { formatFigure, formatRatio, formatTable } from '../table.ts'
import type { PeerRow, PeersResult } from './measure-peers.ts'
import { peerNames } from './peer.ts'

const columnTitles = ['a second', 'p50 ms', 'p99 ms', 'cpu ms']

export const formatPeersResult = ({ rows, missing }: PeersResult): string[] => [
  ...(rows.length === 0
    ? []
    : formatTable(
        [
          '',
          ...columnTitles,
          ...peerNames.flatMap((name) => [`${name}/s`, 'p50 ms', 'p99 ms', 'cpu ms', 'calls', 'cpu']),
        ],
        rows.map(rowOf),
      )),
  ...missing,
]

function rowOf({ name, product, peers }: PeerRow): string[] {
  const formatOptional = (value: number | null | undefined): string =>
    typeof value === 'number' ? formatFigure(value) : '–'
  return [
    name,
    ...[product.perSecond, product.p50, product.p99, product.processor].map(formatOptional),
    ...peerNames.flatMap((peer) => {
      const other = peers[peer]
      return [
        ...[other?.perSecond, other?.p50, other?.p99, other?.processor].map(formatOptional),
        formatRatio(product.perSecond, other?.perSecond),
        formatRatio(product.processor, other?.processor),
      ]
    }),
  ]
}
