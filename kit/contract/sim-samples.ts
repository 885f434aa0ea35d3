import type { Region } from './phone.ts'

export const simSamples = {
  NZ: { number: '021 555 0142', iccid: '89 64 0500 0001 2345 678', begins: '89 or 64' },
  AU: { number: '0491 570 156', iccid: '89 61 0500 0001 2345 678', begins: '89 or 61' },
} as const satisfies Record<Region, { number: string; iccid: string; begins: string }>
