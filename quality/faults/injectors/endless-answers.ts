import { everyProvider, providerFaults } from './providers.ts'

export const endlessAnswers = providerFaults('endless-answers', everyProvider, ['endless'])
