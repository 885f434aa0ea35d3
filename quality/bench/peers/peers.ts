import { medusa } from './medusa.ts'
import type { Peer, PeerName } from './peer.ts'
import { vendure } from './vendure.ts'

export const peers: Record<PeerName, Peer> = { Vendure: vendure, Medusa: medusa }
