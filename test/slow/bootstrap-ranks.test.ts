import { it } from 'vitest'
import { expectUniformRanks, truth } from './even-p-values.ts'

/** A file of its own, so that it runs beside the others. */
it('the p-values between ranks are even under a true model: two classes against three', async () => {
  await expectUniformRanks(truth, 0)
})
