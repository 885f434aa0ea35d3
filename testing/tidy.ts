import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// Each test mounts its own page; without this the next one would find two of everything.
afterEach(cleanup)
