defprotocol Mill.Heft do
  @moduledoc "What can be weighed."

  @fallback_to_any true

  @doc "Its weight."
  @spec heft(t, keyword()) :: integer()
  def heft(thing, opts)
end

defmodule Mill.Yard do
  @moduledoc """
  The yard
  of a mill.

  And more.
  """

  use GenServer, restart: :temporary
  use Mill.Router
  @behaviour Mill.Gate

  import Ecto.Query, only: [from: 2, where: 3]
  import Mill.Signs
  alias Mill.{Wheel, Water.Flow}
  alias Mill.Grain, as: G

  alias __MODULE__.Bin
  require Logger

  @limit 5_000
  @kinds [:wheat, G.default()]

  @typedoc "A state."
  @type t :: %__MODULE__{name: String.t(), wheel: Wheel.t()}
  @typep kind(a) :: a | atom()
  @opaque seal :: binary

  @doc "Opens the gate."
  @callback open(gate :: term, t) :: {:ok, t} | :error
  @macrocallback sign(term) :: Macro.t()

  @enforce_keys [:name]
  defstruct [:name, wheel: nil, stock: %{}]

  plug :weigh when action in [:show]
  plug Mill.Guard, limit: @limit

  # Takes what there is.
  @doc """
  Grinds.

      iex> Mill.Yard.grind([])
      def not_one(x), do: x
  """
  @doc since: "1.0"
  @spec grind([G.t()], pos_integer) :: {:ok, t()} | {:error, Exception.t()}
  def grind(sack, times \\ 1)
  def grind([], _times), do: {:ok, idle()}

  @impl true
  # between two clauses
  def grind([%G{weight: w} = first | rest], times) when w > @limit and times > 0 or w == 1 do
    total = rest |> Enum.map(&G.weight/1) |> Enum.sum
    flow = %Flow{speed: total, from: first}

    step = fn
      0 -> :idle
      n when n > 2 -> run(n)
    end

    step.(times)
    Enum.each(rest, &turn(&1, flow))
    rest |> sift |> Bin.put(__MODULE__)

    case open(first, times) do
      {:ok, %{gate: gate}} -> gate.close()
      :error -> raise ArgumentError, "closed #{inspect(rest)}"
      _ -> Logger.warning("odd")
    end

    cond do
      total > 1 && ready?() -> :erlang.halt()
      true -> G.weight(first)
    end

    with {:ok, a} <- weigh(first),
         b = a.next,
         {:ok, c} <- Wheel.turn(b) do
      if c, do: c, else: a
    else
      {:error, _} = error -> error
    end

    for one <- rest, heavy?(one), do: send(self(), {:grain, one})

    try do
      Mill.Gate.open!(flow)
    rescue
      e in [Mill.Jam, RuntimeError] -> reraise(e, __STACKTRACE__)
    catch
      :exit, reason -> {:error, reason}
    after
      stop()
    end
  end

  def grind(sack, times, opts), do: grind(sack, opts[:times] || times)

  defp idle, do: %__MODULE__{name: "idle"}

  @deprecated "Use heft"
  def weigh(%{weight: w}), do: w

  defguard is_heavy(w) when is_integer(w) and w > 9
  defguardp is_light(w) when w < 9

  defmacro sign(name, do: block) do
    quote do
      @signed unquote(name)
      def unquote(name)(), do: unquote(block)

      def signed?(x) do
        x in @kinds
      end
    end
  end

  defdelegate turn(wheel, flow), to: Wheel
  defdelegate spin(wheel), to: Wheel, as: :turn

  def a <~> b, do: {a, b}
  def unquote(:"odd name")(), do: 1

  Record.defrecord(:sack, weight: 0)

  defmodule Jam do
    defexception message: "jammed", code: 1

    def code(%__MODULE__{code: code}), do: code
  end

  defimpl Inspect do
    def inspect(_, _), do: "#Yard"
  end
end

defimpl Mill.Heft, for: [Mill.Yard, Map] do
  def heft(thing, _opts), do: map_size(thing)
end

defimpl Mill.Heft, for: Any, do: (def heft(_, _), do: 0)

defmodule Mill.YardTest do
  use ExUnit.Case, async: true

  @moduletag :slow

  setup :start

  describe "grind/2" do
    @tag :heavy
    test "grinds a sack", %{yard: yard} do
      assert Mill.Yard.grind([], 1) == {:ok, yard}
    end

    test "is written later"
  end

  defp start(_), do: :ok
end
