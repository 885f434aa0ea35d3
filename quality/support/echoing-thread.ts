import { handleThreadRequests } from '#kit/server/worker-thread.ts'

handleThreadRequests(async (told: string) => {
  if (told === 'fail') throw new TypeError('it cannot say that')
  if (told === 'end') process.exit(3)
  return { told, secret: process.env['SECRET_KEY'] ?? null }
})
