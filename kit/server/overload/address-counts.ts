export type AddressCounts = {
  of(address: string): number
  enter(address: string): void
  leave(address: string): void
}

export function createAddressCounts(): AddressCounts {
  const counts = new Map<string, number>()
  const of = (address: string): number => counts.get(address) ?? 0
  return {
    of,
    enter: (address) => void counts.set(address, of(address) + 1),
    leave(address) {
      if (of(address) > 1) counts.set(address, of(address) - 1)
      else counts.delete(address)
    },
  }
}
