/**
 * Does what there is to do one by one, `atOnce` beside each other, until none of them finds anything more. One that fails ends its own
 * turns only.
 * @throws the first failure, once all have come to their end
 */
export async function sideBySide(atOnce: number, doNext: () => Promise<boolean>): Promise<void> {
  const turns = Array.from({ length: atOnce }, async () => {
    while (await doNext()) continue
  })
  const failed = (await Promise.allSettled(turns)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
