import { everyProvider, providerFaults } from './providers.ts'

export const garbledAnswers = providerFaults('garbled-answers', everyProvider, ['garbled'])
