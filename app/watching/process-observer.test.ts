import { expect, test } from 'vitest'
import type { JobDefinition } from '#kit/server/jobs.ts'
import { type ObservedTask, observeTasks } from './process-observer.ts'

test('observing a job wraps the function that runs it, and leaves the job’s other properties unchanged', async () => {
  const done: unknown[] = []
  const job: JobDefinition = {
    name: 'messages.send',
    foundMultiplier: 5,
    fetch: async () => false,
    run: async (data: object) => void done.push(data),
  }
  const around = (task: ObservedTask, run: () => Promise<void>): Promise<void> => {
    done.push(task)
    return run()
  }
  const [seen] = observeTasks([{ around, requests: () => {}, hear: () => {} }]).jobs([job])
  expect(seen).toEqual({ ...job, run: expect.any(Function) })
  await seen?.run({ messageId: 'one' } as never)
  expect(done).toEqual([{ kind: 'job', name: 'messages.send' }, { messageId: 'one' }])
})
