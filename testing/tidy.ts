import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// As long as `expect.poll` waits: a second can be all that a busy machine needs for something else.
configure({ asyncUtilTimeout: 30_000 })

// Each test mounts its own page; without this the next one would find two of everything.
afterEach(cleanup)
