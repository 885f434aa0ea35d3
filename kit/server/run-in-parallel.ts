/**
 * Runs `doNext` in `atOnce` parallel loops until each loop finds nothing more to do. A failure ends only its own loop.
 * @throws the first failure, once all loops have ended
 */
export async function runInParallel(atOnce: number, doNext: () => Promise<boolean>): Promise<void> {
  const loops = Array.from({ length: atOnce }, async () => {
    while (await doNext()) continue
  })
  const failedLoop = (await Promise.allSettled(loops)).find(({ status }) => status === 'rejected')
  if (failedLoop?.status === 'rejected') throw failedLoop.reason
}
