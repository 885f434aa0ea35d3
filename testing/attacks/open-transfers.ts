/** Numbers whose transfers stay open until their customers call them off: nobody waits for those to end by themselves. */
export const openTransfers = new Set<string>()
